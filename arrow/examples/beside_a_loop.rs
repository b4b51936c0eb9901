//! A column beside a loop of single calls, over the same arrays, on one core.
//!
//! ```console
//! $ cargo run --release -p sivka-arrow --example beside_a_loop
//! ```

use arrow_array::BinaryArray;
use arrow_array::builder::BinaryBuilder;
use sivka::{Algorithm, BatchAad};
use std::time::Instant;

const COUNT: usize = 100_000;
const TURNS: usize = 15;
const CONTEXT: &[u8] = b"table.column";

fn least(turns: &[f64]) -> f64 {
    turns.iter().copied().fold(f64::INFINITY, f64::min)
}

fn loop_over(array: &BinaryArray, each: impl Fn(&[u8]) -> Vec<u8>) -> BinaryArray {
    let mut made = BinaryBuilder::with_capacity(COUNT, array.value_data().len());
    for value in array {
        made.append_option(value.map(&each));
    }
    made.finish()
}

fn nanoseconds<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    times.push(start.elapsed().as_secs_f64() * 1e9 / COUNT as f64);
    made
}

fn main() -> Result<(), sivka_arrow::Error> {
    println!("algorithm,tier,len,operation,column_ns,loop_ns,loop_of_column");
    for name in ["AES-256-GCM-SIV", "XChaCha20-BLAKE2b-SIV"] {
        let algorithm = Algorithm::find(name).expect("an algorithm of ours");
        let key = algorithm.new_key(&vec![7; algorithm.key_len()])?;
        for len in [16, 32, 64, 256] {
            // One value in a hundred is null.
            let value = |i: usize| (i % 100 != 99).then(|| vec![i as u8; len]);
            let values = (0..COUNT).map(value).collect::<BinaryArray>();
            let context = BatchAad::Common(CONTEXT);
            let mut times: [Vec<f64>; 4] = Default::default();
            for _ in 0..TURNS {
                let [seal, seal_loop, open, open_loop] = &mut times;
                let rows = nanoseconds(seal, || sivka_arrow::seal(&*key, &values, context))?;
                let looped = nanoseconds(seal_loop, || {
                    loop_over(&values, |value| key.seal(value, CONTEXT).expect("short"))
                });
                let opened = nanoseconds(open, || sivka_arrow::open(&*key, &looped, context))?;
                let opened_loop = nanoseconds(open_loop, || {
                    loop_over(&rows, |row| key.open(row, CONTEXT).expect("sealed"))
                });
                assert!(opened == values && opened_loop == values);
            }
            for (operation, column, looped) in [("seal", 0, 1), ("open", 2, 3)] {
                let (column, looped) = (least(&times[column]), least(&times[looped]));
                let ratio = looped / column;
                println!(
                    "{name},{},{len},{operation},{column:.1},{looped:.1},{ratio:.1}",
                    key.tier_name()
                );
            }
        }
    }
    Ok(())
}
