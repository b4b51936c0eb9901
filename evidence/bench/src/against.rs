//! `--against COMMIT`: the bench of another commit, and this one, in turns.
//!
//! Two processes, since both have the same names; so drift is met by taking turns, and each
//! row keeps the fastest of all its turns.

use crate::report::csv::{self, Line};
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often each of them runs.
const TURNS: usize = 3;

/// Builds the bench of `commit` in a folder under `target/against`, and runs both with the
/// other arguments of this one. Prints how many times as fast this one is in each row.
pub(crate) fn run(commit: &str, out: &mut impl Write) -> io::Result<()> {
    let arguments = without_commit(env::args().skip(1));
    let hash = said(git(&["rev-parse", "--verify"]).arg(format!("{commit}^{{commit}}")))?;
    let hash = hash.trim();
    let folder = root().join("target/against").join(hash);
    std::fs::create_dir_all(root().join("target/against"))?;
    if !folder.join("Cargo.toml").exists() {
        let mut add = git(&["worktree", "add", "--force", "--detach"]);
        ended(add.arg(&folder).arg(hash))?;
    }
    let then = built(&folder)?;
    let now = env::current_exe()?;
    let figures = folder.join("target/figures.csv");
    let [mut old, mut new] = [Vec::new(), Vec::new()];
    for turn in 0..TURNS {
        // The first place is not always the same one's.
        let order = if turn % 2 == 0 {
            [true, false]
        } else {
            [false, true]
        };
        for is_new in order {
            let (program, best) = match is_new {
                true => (&now, &mut new),
                false => (&then, &mut old),
            };
            let mut bench = Command::new(program);
            bench.args(&arguments).args(["--peers", "none", "--csv"]);
            said(bench.arg(&figures))?;
            fastest(best, csv::lines(&figures)?);
        }
    }
    print(&old, &new, &hash[..hash.len().min(10)], out)
}

/// The arguments that choose rows, and how they are measured.
fn without_commit(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut is_commit = false;
    let mut kept = Vec::new();
    for argument in arguments {
        let is_option = argument == "--against";
        if !is_option && !is_commit && !argument.starts_with("--against=") {
            kept.push(argument);
        }
        is_commit = is_option;
    }
    kept
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root()).args(arguments);
    command
}

/// The bench of the tree in a folder, with the compiler and the flags of this one.
fn built(folder: &Path) -> io::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--locked", "-p", "sivka-bench"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"));
    ended(&mut cargo)?;
    Ok(folder.join("target/release/sivka-bench"))
}

fn ended(command: &mut Command) -> io::Result<()> {
    if command.status()?.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?} failed")))
}

/// What a command printed, if it succeeded.
fn said(command: &mut Command) -> io::Result<String> {
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{command:?} failed")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Takes a run's figures into those of the runs before it.
fn fastest(best: &mut Vec<Line>, run: Vec<Line>) {
    for line in run {
        match best.iter_mut().find(|kept| kept.row == line.row) {
            Some(kept) => kept.min_ns = kept.min_ns.min(line.min_ns),
            None => best.push(line),
        }
    }
}

fn print(old: &[Line], new: &[Line], hash: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{:<72}{hash:>12}{:>12}{:>8}", "ns", "now", "ratio")?;
    let then = |line: &Line| old.iter().find(|other| other.row == line.row);
    for line in new {
        write!(out, "{:<72}", line.row)?;
        match then(line) {
            Some(other) => {
                let ratio = other.min_ns / line.min_ns;
                writeln!(
                    out,
                    "{:>12.1}{:>12.1}{ratio:>8.3}",
                    other.min_ns, line.min_ns
                )?;
            }
            None => writeln!(out, "{:>12}{:>12.1}", "-", line.min_ns)?,
        }
    }
    for line in old {
        if !new.iter().any(|other| other.row == line.row) {
            writeln!(out, "{:<72}{:>12.1}{:>12}", line.row, line.min_ns, "-")?;
        }
    }
    writeln!(
        out,
        "ratio: how many times as fast as {hash} (the fastest of {TURNS} runs each)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(figures: &[(&str, f64)]) -> Vec<Line> {
        let line = |&(row, min_ns): &(&str, f64)| Line {
            row: row.to_owned(),
            min_ns,
        };
        figures.iter().map(line).collect()
    }

    #[test]
    fn the_commit_is_no_argument_of_the_other() {
        for against in ["--against HEAD~1", "--against=HEAD~1"] {
            let all = format!("aes-256 {against} --quick");
            let kept = without_commit(all.split(' ').map(str::to_owned));
            assert_eq!(kept, ["aes-256", "--quick"]);
        }
    }

    #[test]
    fn each_row_keeps_its_fastest_run() {
        let mut best = lines(&[("a", 4.0), ("b", 2.0)]);
        fastest(&mut best, lines(&[("a", 3.0), ("b", 5.0), ("c", 1.0)]));
        assert_eq!(best, lines(&[("a", 3.0), ("b", 2.0), ("c", 1.0)]));
    }

    #[test]
    fn rows_of_one_side_have_no_ratio() {
        let mut out = Vec::new();
        let (old, new) = (
            lines(&[("a", 30.0), ("gone", 2.0)]),
            lines(&[("a", 20.0), ("new", 1.0)]),
        );
        print(&old, &new, "abc", &mut out).expect("a Vec takes anything");
        let text = String::from_utf8(out).expect("text");
        let words: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(words[1], ["ns", "abc", "now", "ratio"]);
        assert_eq!(words[2], ["a", "30.0", "20.0", "1.500"]);
        assert_eq!(words[3], ["new", "-", "1.0"]);
        assert_eq!(words[4], ["gone", "2.0", "-"]);
    }
}
