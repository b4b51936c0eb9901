//! Two runs of one call, with other secrets and the same of all that is public, compared
//! instruction by instruction.
//!
//! Both runs are forks of one process, so that every address is the same in both unless a
//! secret decides it: where an instruction is, and what memory it uses. Works on every
//! tier that the CPU has; valgrind knows neither VAES nor AVX-512.

mod compare;
mod operands;
mod process;
mod program;

pub(crate) use program::of_program;

use crate::calls::Call;
use crate::secret::Seed;
use crate::source::Source;
use compare::{Difference, compare};
use operands::Operands;
use process::{Process, Registers};
use std::collections::BTreeMap;

/// One instruction as it ran.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Where it is.
    at: u64,
    /// A hash of every address that it used.
    addresses: u64,
}

/// The one thing that may differ: the table of first rounds of AES-GCM-SIV is indexed by the
/// block counter, which starts at the tag. Everybody may see the tag, but it is another one
/// with another key. Shorter texts have no table, and run the same code.
const TABLE: &str = "core/src/kernel/gcm_siv/ctr32/";
const TABLE_WHY: &str = "the table of first rounds is indexed by the public counter (ADR 10)";

/// Whether a call has texts of 16 KiB and more under AES-GCM-SIV.
fn has_table(call: &str) -> bool {
    let is_long = |len: &str| len.parse().is_ok_and(|len: usize| len >= 16 << 10);
    let words: Vec<&str> = call.split([' ', ',']).collect();
    let has_long = words.windows(2).any(|pair| is_long(pair[0]) && pair[1] == "B");
    has_long && (call.contains("-GCM-SIV:") || call.contains("aes-256-gcm-siv:"))
}

/// Watches every call, each core its share. Whether none differed but as is allowed.
pub(crate) fn all(calls: &[Call]) -> Result<bool, String> {
    let source = &Source::of_this_program()?;
    let mut cores = process::cores();
    cores.truncate(calls.len());
    let shares: Vec<_> = (0..cores.len())
        .map(|first| {
            let (core, step) = (cores[first], cores.len());
            process::beside(move || {
                process::stay_on(core);
                share(calls.iter().skip(first).step_by(step), source)
            })
        })
        .collect();
    // All of them end, whatever the first one found.
    let held = shares.into_iter().map(process::Beside::held);
    Ok(!calls.is_empty() && held.fold(!cores.is_empty(), |all, held| all & held))
}

/// Watches some of the calls.
fn share<'a>(calls: impl Iterator<Item = &'a Call>, source: &Source) -> bool {
    let mut found = Found::new();
    let (mut count, mut steps, mut failed) = (0, 0_u64, false);
    for call in calls {
        count += 1;
        match traces(call) {
            Ok((first, second)) => {
                steps += (first.len() + second.len()) as u64;
                for difference in compare(&first, &second) {
                    let entry = found.entry((difference, has_table(&call.name)));
                    entry.or_insert_with(|| (0, call.name.clone())).0 += 1;
                }
            }
            Err(why) => {
                println!("{}: {why}", call.name);
                failed = true;
            }
        }
    }
    let (leaks, said) = report(&found, source);
    // At once, so that the lines of another core do not come between.
    println!(
        "{said}{count} calls on {}, {steps} instructions, {leaks} places where a secret shows",
        sivka::Tier::detect(),
    );
    leaks == 0 && !failed && steps > 0
}

/// Differences, whether in a call with the table, in how many calls, and in which first.
type Found = BTreeMap<(Difference, bool), (usize, String)>;

/// Every difference with its source, for a person; and how many are not allowed.
fn report(found: &Found, source: &Source) -> (usize, String) {
    let (mut leaks, mut allowed, mut said) = (0, 0, String::new());
    for (((at, kind), has_table), (count, call)) in found {
        let frames = source.described(*at);
        if *has_table && frames.iter().any(|frame| frame.contains(TABLE)) {
            allowed += count;
            continue;
        }
        leaks += 1;
        said += &format!("LEAK: {kind} in {count} calls, first in \"{call}\"\n");
        said.extend(frames.iter().map(|frame| format!("    {frame}\n")));
    }
    if allowed > 0 {
        said += &format!("allowed, {allowed} times: {TABLE_WHY}\n");
    }
    (leaks, said)
}

/// Both runs of a call.
fn traces(call: &Call) -> Result<(Vec<Step>, Vec<Step>), String> {
    // Once before, so that work done once in a process is not only in the first run.
    (call.prepare)(Seed::FIRST)()();
    // Both forks at once: recording the first changes nothing in the second.
    let [first, second] =
        [Seed::FIRST, Seed::SECOND].map(|seed| Process::fork(|| (call.prepare)(seed)));
    Ok((trace(first?)?, trace(second?)?))
}

/// From one mark to the other.
fn trace(mut process: Process) -> Result<Vec<Step>, String> {
    process.run_to_mark()?;
    steps(&mut process, &mut Operands::new(), |_| false)
}

/// Every instruction up to a mark, or up to where `is_end` says so.
fn steps(
    process: &mut Process,
    operands: &mut Operands,
    is_end: impl Fn(&Registers) -> bool,
) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    loop {
        let registers = process.registers()?;
        if is_end(&registers) {
            return Ok(steps);
        }
        let Some(uses) = operands.next(process, &registers)? else {
            return Ok(steps);
        };
        steps.push(Step { at: registers.rip, addresses: uses.addresses });
        match uses.repeats_before {
            Some(end) => process.run_to(end)?,
            None => process.step()?,
        }
    }
}
