//! A column beside a loop of single calls, over the same arrays, on one core.
//!
//! ```console
//! $ cargo run --release -p sivka-arrow --example beside_a_loop
//! ```

use arrow_array::BinaryArray;
use sivka::{Algorithm, BatchAad};
use std::time::Instant;

const COUNT: usize = 100_000;
const CONTEXT: &[u8] = b"table.column";

fn loop_over(array: &BinaryArray, each: impl Fn(&[u8]) -> Vec<u8>) -> BinaryArray {
    array.iter().map(|value| value.map(&each)).collect()
}

/// The least time of some turns, in nanoseconds a value.
fn nanoseconds(work: impl Fn() -> BinaryArray) -> f64 {
    let turn = |_| {
        let start = Instant::now();
        let made = work();
        let seconds = start.elapsed().as_secs_f64();
        drop(made);
        seconds * 1e9 / COUNT as f64
    };
    (0..15).map(turn).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("algorithm,tier,len,operation,column_ns,loop_ns,loop_of_column");
    for name in ["AES-256-GCM-SIV", "XChaCha20-BLAKE2b-SIV"] {
        let algorithm = Algorithm::find(name).expect("an algorithm of ours");
        let key = algorithm.new_key(&vec![7; algorithm.key_len()]);
        let key = key.expect("a key of its length");
        for len in [16, 32, 64, 256] {
            // One value in a hundred is null.
            let value = |i: usize| (i % 100 != 99).then(|| vec![i as u8; len]);
            let values: BinaryArray = (0..COUNT).map(value).collect();
            let context = BatchAad::Common(CONTEXT);
            let seal = || sivka_arrow::seal(&*key, &values, context).expect("short");
            let rows = seal();
            let open = || sivka_arrow::open(&*key, &rows, context).expect("sealed");
            let seal_loop = || loop_over(&values, |value| key.seal(value, CONTEXT).expect("short"));
            let open_loop = || loop_over(&rows, |row| key.open(row, CONTEXT).expect("sealed"));
            let times = [
                ("seal", nanoseconds(seal), nanoseconds(seal_loop)),
                ("open", nanoseconds(open), nanoseconds(open_loop)),
            ];
            for (operation, column, looped) in times {
                let (tier, ratio) = (key.tier_name(), looped / column);
                println!("{name},{tier},{len},{operation},{column:.1},{looped:.1},{ratio:.1}");
            }
        }
    }
}
