//! `cargo xtask judge`: rounds of drawn messages until there are so many executions. A message
//! that is sealed or opened once is one execution. What was covered is told in pairs of styles.
#![forbid(unsafe_code)]

mod covered;
mod round;

use covered::{Covered, numbers};
use round::Key;
use sivka_judge::shapes::SplitMix64;
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
    let executions = match words[..] {
        [] => Some(ENOUGH),
        ["--messages", number] => number.parse::<f64>().ok().map(|number| number as u64),
        _ => None,
    };
    let Some(executions) = executions else {
        eprintln!("usage: sivka-judge [--messages N], such as 1e8");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let covered = run(executions, &mut SplitMix64::new(sivka_judge::seed()));
    covered.print();
    let total = covered.executions();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} executions in {seconds:.0} s, all of which agree",
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
