//! Executed kernels and modes: every function whose source is in `core/src/kernel` or
//! `core/src/mode`, in all its copies.
//!
//! The debugging information of this program gives, for each stretch of its code, its function and
//! the functions that it was inlined into. A copy is a function with its generic parameters, on the
//! widest tier that these name: a mode is written once, and has one copy for each tier. A copy has
//! run when one of its instructions has; closures count with their function. The known answers,
//! which are public, have copies of their own, which do not count.

mod breakpoints;

use crate::calls::Call;
use crate::instructions::of_blocks;
use crate::secret::Seed;
use crate::source::{Frame, Source};
use std::collections::{BTreeMap, BTreeSet};

/// The tiers, and what names them in a path; the narrower ones first.
const TIERS: [(&str, &[&str]); 4] = [
    ("portable", &["portable", "Portable"]),
    ("avx2", &["avx2", "Avx2"]),
    ("vaes256", &["vaes256", "Vaes256", "Vaes256Gfni"]),
    ("avx512", &["avx512", "Avx512"]),
];

/// Whose functions are looked for.
const WATCHED: [&str; 2] = ["core/src/kernel/", "core/src/mode/"];

/// Whose work on known answers is no call with a secret.
const SELF_CHECK: [&str; 2] = ["core/src/aead/known_answer.rs", "core/src/self_check.rs"];

/// Whose work is of tiers with lanes, and so not of `portable`.
const OF_LANES: [&str; 3] = [
    "batch::parts::Texts>::memory_of_four",
    "batch::parts::Texts>::text_and_source",
    "chacha20_blake2b::batch::",
];

/// Functions that no call executes, but on these tiers. All of the first is in the name.
const EXCEPTIONS: [(&[&str], &[&str]); 10] = [
    // Is a call of one function, which is executed.
    (&["Portable as sivka::kernel::gcm_siv::GcmSiv", "::ctr32_xor"], &[]),
    // Are of `portable` alone.
    (&["kuznyechik::bitsliced::"], &["portable"]),
    (&["kuznyechik::circuit::"], &["portable"]),
    // Other tiers take parts of it, which are counted with theirs.
    (&["kuznyechik::byte_sliced::"], &["avx512"]),
    // Wipes: it sees no more than a length.
    (&["drop"], &[]),
    // Compares statuses, for callers.
    (&["core/src/mode/batch.rs: eq"], &[]),
    // One in machine code for all counts of groups; its parts are counted.
    (&["::expand_lanes::<"], &[]),
    // Where the table of first rounds ends depends on the tag, so it is the one or the other
    // kernel of the keystream that counts on. On `avx512` the table never ends. The same without
    // the table is executed.
    (&["Keystream<", ", true>", "::count::<"], &[]),
    (&["Keystream<", ", true>", "rounds::<", ", 1, "], &[]),
    // Reads a block of the public table where it begins anew.
    (&["FirstRounds>::block"], &["avx512"]),
];

/// The kernels and modes of this program.
struct Kernels {
    /// In order of address.
    stretches: Vec<Stretch>,
    copies: Vec<Copy>,
}

/// Code that comes from one line.
struct Stretch {
    start: u64,
    /// The copies that it is part of.
    copies: Vec<usize>,
}

/// A function as it is in a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Copy {
    tier: Option<&'static str>,
    name: String,
}

/// Makes every call once, and says which kernels ran on this tier between the two marks of
/// `trace`: whether all did that it has.
pub(crate) fn all(calls: &[Call]) -> Result<bool, String> {
    let source = Source::of_this_program()?;
    let kernels = Kernels::of(&source)?;
    // Work that a process does once, and unwatched work, is done before.
    let ready: Vec<_> = calls.iter().map(|c| (c.prepare)(Seed::FIRST)).collect();
    let starts = kernels.stretches.iter().map(|s| source.base + s.start);
    breakpoints::place(starts.collect())?;
    let checks: Vec<_> = ready.into_iter().map(|watched| watched()).collect();
    let reached = breakpoints::reached();
    checks.into_iter().for_each(|check| check());
    Ok(kernels.report(&reached.map(|at| at - source.base).collect()))
}

impl Kernels {
    fn of(source: &Source) -> Result<Self, String> {
        let mut numbers = BTreeMap::new();
        let mut stretches = Vec::new();
        for start in source.stretches()? {
            let copies: Vec<usize> = copies(&source.frames(start)?)
                .into_iter()
                .map(|copy| {
                    let next = numbers.len();
                    *numbers.entry(copy).or_insert(next)
                })
                .collect();
            if !copies.is_empty() {
                stretches.push(Stretch { start, copies });
            }
        }
        let mut copies: Vec<(Copy, usize)> = numbers.into_iter().collect();
        copies.sort_by_key(|(_, number)| *number);
        let copies = copies.into_iter().map(|(copy, _)| copy).collect();
        Ok(Self { stretches, copies })
    }

    /// Prints the kernels that did not run on this process's tier, given the executed stretches;
    /// returns whether there are none.
    fn report(&self, reached: &BTreeSet<u64>) -> bool {
        let tier = tier_here();
        let reached = self.stretches.iter().filter(|s| reached.contains(&s.start));
        let ran: BTreeSet<usize> = reached.flat_map(|s| s.copies.iter().copied()).collect();
        let wanted = |copy: &Copy| copy.tier.is_none_or(|of| of == tier);
        let missing: BTreeSet<&str> = self
            .copies
            .iter()
            .enumerate()
            .filter(|(i, copy)| wanted(copy) && !ran.contains(i) && !is_exception(&copy.name, tier))
            .map(|(_, copy)| copy.name.as_str())
            .collect();
        for name in &missing {
            println!("NOT EXECUTED on {tier}: {name}");
        }
        let left = missing.len();
        println!("{} kernels and modes executed on {tier}, {left} not", ran.len());
        !ran.is_empty() && left == 0
    }
}

fn is_exception(name: &str, tier: &str) -> bool {
    let holds = |(of, but_on): &(&[&str], &[&str])| {
        of.iter().all(|part| name.contains(part)) && !but_on.contains(&tier)
    };
    EXCEPTIONS.iter().any(holds) || is_for_other_cpus(name, tier)
}

/// Kuznyechik has two kernels on `vaes256`: its own, which also contains parts of that of `avx2`,
/// and that of `avx2` itself for CPUs without GFNI.
fn is_for_other_cpus(name: &str, tier: &str) -> bool {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let others: &[&str] = match cpu.contains(" gfni") {
        true => &["avx2"],
        false => &["vaes256", "avx2"],
    };
    let is_of_others = |of: &str| others.contains(&of);
    tier == "vaes256" && name.contains("kuznyechik") && tier_of(name).is_some_and(is_of_others)
}

/// The kernels and modes among the functions of a stretch, the innermost first.
fn copies(frames: &[Frame]) -> Vec<Copy> {
    let is_of_lanes = |frame: &Frame| OF_LANES.iter().any(|of| frame.name.contains(of));
    let is_of_another_tier = tier_here() == "portable" && frames.iter().any(is_of_lanes);
    if is_of_another_tier || frames.iter().any(|frame| is_of(frame, &SELF_CHECK)) {
        return Vec::new();
    }
    let tier = |frame: &Frame| tier_of(&frame.name).or(tier_of(&frame.file));
    let tier = frames.iter().filter_map(tier).max_by_key(|tier| rank(tier));
    let name = |frame: &Frame| {
        let name = of_any_nonce(without_closures(&frame.name));
        match name.contains("::") {
            true => name,
            false => format!("{}: {name}", frame.file),
        }
    };
    let copy = |frame: &Frame| Copy { tier, name: name(frame) };
    frames.iter().filter(is_watched).map(copy).collect()
}

/// The name of a method that finds a message of a batch by its number. It is one for nonces of all
/// lengths, since it does the same and sees no secret.
fn of_any_nonce(name: &str) -> String {
    const BATCH: &str = "mode::batch::Batch<[u8; ";
    match name.split_once(BATCH) {
        Some((before, rest)) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}{BATCH}_{rest}")
        }
        None => name.to_owned(),
    }
}

/// The name of the function whose closure this may be.
fn without_closures(mut name: &str) -> &str {
    while let Some((function, number)) = name.rsplit_once("::{closure#")
        && number.len() == number.find('}').map_or(0, |end| end + 1)
    {
        name = function;
    }
    name
}

fn is_of(frame: &Frame, files: &[&str]) -> bool {
    files.iter().any(|of| frame.file.contains(of))
}

/// Whether a function is of ours: where the compiler has joined lines, a function of Rust's
/// library has a line of ours.
fn is_watched(frame: &&Frame) -> bool {
    let is_ours =
        |path: &str| ["sivka::kernel::", "sivka::mode::"].iter().any(|own| path.starts_with(own));
    let name = frame.name.trim_start_matches(['<', '&']);
    let of_trait = name.split_once(" as ").map_or("", |(_, of)| of);
    is_of(frame, &WATCHED)
        && !name.starts_with("{closure")
        && (!name.contains("::") || is_ours(name) || is_ours(of_trait))
}

/// The tier of this process.
fn tier_here() -> &'static str {
    sivka::Tier::detect().name()
}

/// How wide a tier is. A wider one may delegate to a narrower one.
fn rank(tier: &str) -> Option<usize> {
    TIERS.iter().position(|(name, _)| *name == tier)
}

/// The widest tier that a path names.
fn tier_of(name: &str) -> Option<&'static str> {
    let name = of_blocks(name);
    let words = || name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let named = |of: &&(&str, &[&str])| words().any(|word| of.1.contains(&word));
    TIERS.iter().rev().find(named).map(|(tier, _)| *tier)
}
