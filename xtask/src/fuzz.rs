//! `cargo xtask fuzz`: every fuzz target for a while.

use crate::process::{Failure, capture, cargo};
use std::io::{self, BufRead, BufReader};
use std::process::Stdio;

const FOLDER: &str = "evidence/fuzz";

/// Runs each target for `seconds` and says how many inputs it executed. The
/// first finding is a failure; libFuzzer has written the input beside it.
pub(crate) fn run(seconds: u64) -> Result<(), Failure> {
    let list = capture(&mut cargo(&[
        "+nightly",
        "fuzz",
        "list",
        "--fuzz-dir",
        FOLDER,
    ]))?;
    let targets: Vec<&str> = list.split_whitespace().collect();
    if targets.is_empty() {
        return Err(Failure::new("there is no fuzz target"));
    }
    let mut report = Vec::new();
    for target in targets {
        report.push((target, run_target(target, seconds)?));
    }
    println!();
    for (target, executions) in report {
        println!("{target}: {executions} executions in {seconds} s, no finding");
    }
    Ok(())
}

fn run_target(target: &str, seconds: u64) -> Result<u64, Failure> {
    let failed = |why: String| Failure::new(format!("fuzz target {target}: {why}"));
    let mut command = cargo(&[
        "+nightly",
        "fuzz",
        "run",
        "--fuzz-dir",
        FOLDER,
        "--features",
        "libfuzzer",
        target,
        "--",
    ]);
    command.args([
        format!("-max_total_time={seconds}"),
        "-print_final_stats=1".to_owned(),
    ]);
    println!("\n== {target} for {seconds} s");
    let (output, input) = io::pipe().map_err(|e| failed(e.to_string()))?;
    command.stdout(Stdio::inherit()).stderr(input);
    let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
    // The command holds the write end of the pipe; without it the reader ends
    // when the child does.
    drop(command);
    let mut executions = None;
    for line in BufReader::new(output).split(b'\n') {
        let line = line.map_err(|e| failed(e.to_string()))?;
        let line = String::from_utf8_lossy(&line);
        if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
            executions = count.trim().parse().ok();
        }
        println!("{line}");
    }
    let status = child.wait().map_err(|e| failed(e.to_string()))?;
    if !status.success() {
        return Err(failed(status.to_string()));
    }
    match executions {
        Some(executions) if executions > 0 => Ok(executions),
        _ => Err(failed("nothing was executed".to_owned())),
    }
}
