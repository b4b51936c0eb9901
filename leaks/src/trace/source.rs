//! The lines of source that an instruction comes from, by `addr2line` of the binutils.

use std::env;
use std::fs;
use std::process::Command;

/// The functions of an instruction of this program, the innermost first, with file and line.
pub(super) fn frames(at: u64) -> Vec<String> {
    found(at).unwrap_or_else(|| vec![format!("{at:#x}")])
}

fn found(at: u64) -> Option<Vec<String>> {
    let program = env::current_exe().ok()?;
    let (base, path) = mapping(at)?;
    if path != program.to_string_lossy() {
        return Some(vec![format!("{path} + {:#x}", at - base)]);
    }
    let mut command = Command::new("addr2line");
    command.args(["-f", "-i", "-C", "-e"]).arg(&program);
    let output = command.arg(format!("{:#x}", at - base)).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let frame = |pair: &[&str]| format!("{} at {}", pair[0], pair[1]);
    Some(lines.chunks_exact(2).map(frame).collect())
}

/// Where the file begins in memory that `at` belongs to, and its path.
fn mapping(at: u64) -> Option<(u64, String)> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let mut begin = None;
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (from, to) = words.next()?.split_once('-')?;
        let path = words.nth(4).unwrap_or_default();
        let from = u64::from_str_radix(from, 16).ok()?;
        let to = u64::from_str_radix(to, 16).ok()?;
        if begin.as_ref().is_none_or(|(_, first)| first != path) {
            begin = Some((from, path.to_owned()));
        }
        if (from..to).contains(&at) {
            return begin;
        }
    }
    None
}
