//! `cargo xtask differential`: rounds of drawn messages until there are so many executions. A
//! message that is sealed or opened once is one execution. What was covered is told in styles
//! and in pairs of them.
#![forbid(unsafe_code)]

mod covered;
mod round;

use covered::{Covered, numbers};
use round::Key;
use sivka_oracle::shapes::SplitMix64;
use std::env;
use std::process::ExitCode;
use std::time::Instant;

/// So many rounds with the same key.
const ROUNDS_OF_A_KEY: usize = 16;

/// After so many executions every pair of styles was covered on the slow tier too, or
/// something is wrong.
const ENOUGH: u64 = 200_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (executions, seed) = match words[..] {
        ["--executions", executions] => (executions.parse(), Ok(1)),
        ["--executions", executions, "--seed", seed] => (executions.parse(), seed.parse()),
        _ => (Ok(ENOUGH), Ok(1)),
    };
    let (Ok(executions), Ok(seed)) = (executions, seed) else {
        eprintln!("usage: sivka-differential [--executions N [--seed N]]");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let covered = run(executions, &mut SplitMix64::new(seed));
    covered.print();
    let total = covered.executions();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} executions from seed {seed} in {seconds:.0} s, all of which agree",
        numbers(total)
    );
    let missing = covered.missing();
    if total < ENOUGH || missing.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("pairs of styles that were not covered:");
    missing.iter().for_each(|pair| eprintln!("  {pair}"));
    ExitCode::FAILURE
}

/// Rounds until there are so many executions. Panics where two disagree.
fn run(executions: u64, source: &mut SplitMix64) -> Covered {
    let mut covered = Covered::new();
    let (mut done, mut told) = (0, 0);
    while done < executions {
        let key = Key::draw(&covered, source);
        for _ in 0..ROUNDS_OF_A_KEY {
            done += key.round(&mut covered, source);
        }
        if done / 100_000_000 > told {
            told = done / 100_000_000;
            println!("{} executions", numbers(done));
        }
    }
    covered
}
