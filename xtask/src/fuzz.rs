//! `cargo xtask fuzz`: every fuzz target for a while.

use crate::process::{Failure, capture, cargo, run_lines};

const FOLDER: [&str; 2] = ["--fuzz-dir", "evidence/fuzz"];

/// Runs each target for `seconds` and says how many inputs it executed. The
/// first finding is a failure; libFuzzer has written the input beside it.
pub(crate) fn run(seconds: u64) -> Result<(), Failure> {
    let list = capture(cargo(&["+nightly", "fuzz", "list"]).args(FOLDER))?;
    let targets: Vec<&str> = list.split_whitespace().collect();
    if targets.is_empty() {
        return Err(Failure::new("there is no fuzz target"));
    }
    let mut report = String::new();
    for target in targets {
        println!("\n== {target} for {seconds} s");
        let mut command = cargo(&["+nightly", "fuzz", "run"]);
        command
            .args(FOLDER)
            .args(["--features", "libfuzzer", target, "--"]);
        command.arg(format!("-max_total_time={seconds}"));
        let mut executed = 0;
        let succeeded = run_lines(command.arg("-print_final_stats=1"), |line| {
            if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
                executed = count.trim().parse().unwrap_or(0);
            }
        });
        if !succeeded || executed == 0 {
            let message = format!("fuzz target {target}: it failed, or executed nothing");
            return Err(Failure::new(message));
        }
        report += &format!("{target}: {executed} executions in {seconds} s, no finding\n");
    }
    print!("\n{report}");
    Ok(())
}
