//! `cargo xtask differential`: messages that are drawn are sealed and opened on every tier,
//! in batches and singly, and all must agree, with the oracle for some of them. Each message
//! that is sealed or opened once is one execution.
#![forbid(unsafe_code)]

mod draw;
mod round;

use draw::Draw;
use round::Keys;
use std::collections::BTreeMap;
use std::env;
use std::process::ExitCode;
use std::time::Instant;

/// Executions by algorithm, tier and way.
pub(crate) type Counts = BTreeMap<(&'static str, &'static str, &'static str), u64>;

/// So many rounds with the same keys.
const ROUNDS_OF_A_KEY: usize = 32;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (executions, seed) = match words[..] {
        ["--executions", executions] => (executions.parse(), Ok(1)),
        ["--executions", executions, "--seed", seed] => (executions.parse(), seed.parse()),
        _ => (Ok(1_000_000), Ok(1)),
    };
    let (Ok(executions), Ok(seed)) = (executions, seed) else {
        eprintln!("usage: sivka-differential [--executions N [--seed N]]");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let counts = run(executions, Draw::new(seed));
    for ((algorithm, tier, way), count) in &counts {
        println!("{count:>13}  {algorithm}, {tier}, {way}");
    }
    let total: u64 = counts.values().sum();
    let seconds = start.elapsed().as_secs();
    println!("{total} executions from seed {seed} in {seconds} s, all of which agree");
    ExitCode::SUCCESS
}

/// Rounds until there are so many executions. Panics where two disagree.
fn run(executions: u64, mut draw: Draw) -> Counts {
    let mut counts = Counts::new();
    let (mut done, mut told) = (0, 0);
    while done < executions {
        let keys = Keys::draw(&mut draw);
        for _ in 0..ROUNDS_OF_A_KEY {
            done += keys.round(&mut draw, &mut counts);
        }
        if done / 100_000_000 > told {
            told = done / 100_000_000;
            println!("{done} executions");
        }
    }
    counts
}
