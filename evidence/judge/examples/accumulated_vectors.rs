//! Writes `vectors/accumulated/accumulated.json` to standard output, in some minutes:
//! `cargo run --release -p sivka-judge --example accumulated_vectors`.

use sivka_judge::accumulated::{Accumulator, Batches, FIRST_BATCHES, Row};
use sivka_judge::conformance::{ALGORITHMS, Algorithm};
use std::thread;

fn rows(algorithm: &'static Algorithm) -> [Row; 2] {
    let mut all = Accumulator::default();
    let mut first = None;
    for (i, batch) in Batches::of(algorithm).enumerate() {
        all.add(&batch, &batch.sealed(algorithm));
        if i + 1 == FIRST_BATCHES {
            first = Some(all.row(algorithm.name));
        }
    }
    let first = first.expect("more batches than the first");
    [first, all.row(algorithm.name)]
}

fn line(row: &Row) -> String {
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    format!(
        r#"  {{"algorithm": "{}", "batches": {}, "messages": {}, "inputs": "{}", "sealed": "{}"}}"#,
        row.algorithm,
        row.batches,
        row.messages,
        hex(&row.inputs),
        hex(&row.sealed)
    )
}

fn main() {
    let all: Vec<Row> = thread::scope(|scope| {
        let threads: Vec<_> =
            ALGORITHMS.iter().map(|algorithm| scope.spawn(|| rows(algorithm))).collect();
        let rows = threads.into_iter().map(|thread| thread.join());
        rows.flat_map(|rows| rows.expect("no panic")).collect()
    });
    let lines: Vec<String> = all.iter().map(line).collect();
    println!(
        "{{\"source\": \"docs/spec/accumulated-vectors.md; sealed by oracle, whose example accumulated_vectors wrote this file\",\n \"rows\": ["
    );
    println!("{}\n ]}}", lines.join(",\n"));
}
