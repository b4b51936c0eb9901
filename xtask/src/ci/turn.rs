//! Checks that CI takes in turn: each run takes one part, and every part comes within so many runs.
//! `--all` takes all.

use super::{Step, clippy_of_blob, counts, holds};
use crate::constant_time::{TIERS, on_tiers};
use crate::emulated::{NEON, of_core, on_lesser};
use crate::planted::{defects, watched};
use crate::process::{Failure, Tally, capture, program};
use crate::{blob, languages, test, traces, zeroization};

/// The part of a run.
pub(super) enum Turn {
    All,
    /// One part, and how many times it has had its turn, which selects a slice.
    One(usize, usize),
}

/// The parts, in slices of at most five minutes.
const PARTS: [&[Step]; 8] = [
    &[
        counts("other builds of Rust", test::other_builds),
        counts("tests with the oldest compiler", test::with_oldest_compiler),
        holds("clippy of Go's machine code", clippy_of_blob),
    ],
    &[
        counts("s390x, 1 of 4", || of_core("qemu-s390x", 0..=0)),
        counts("s390x, 2 of 4", || of_core("qemu-s390x", 1..=1)),
        counts("s390x, 3 of 4", || of_core("qemu-s390x", 2..=2)),
        counts("s390x, 4 of 4", || of_core("qemu-s390x", 3..=3)),
    ],
    &[
        counts("WebAssembly", || of_core("node", ..)),
        counts("AArch64 without SHA-3", || of_core("qemu-aarch64 -cpu cortex-a72", ..)),
        counts("vectors on AArch64", || of_core(NEON, 1..)),
    ],
    &[
        counts("kernels on emulated CPUs", || on_lesser(true)),
        counts("constant time of avx2", || on_tiers(&TIERS[1..], "--usual")),
        counts("Tink and OpenSSL", || languages::of("judges")),
    ],
    &[
        counts("traces of vaes256", || traces::shipped("vaes256")),
        counts("traces of avx512", || traces::shipped("avx512")),
        counts("traces of Go", traces::go),
    ],
    &[
        counts("memory of what ships", zeroization::of_what_ships),
        counts("memory of a build in units", zeroization::in_units),
        holds("machine code of Go, made twice", blob::twice),
        counts("Go, built otherwise", || languages::of("otherwise_built")),
    ],
    &[
        counts("older runtimes", || languages::of("older")),
        counts("Spark's cluster", || languages::of("spark_on_cluster")),
    ],
    &[
        counts("defects, 1 of 5", || defects((0, 5))),
        counts("leaks, valgrind", || watched(|by| by[0] == "valgrind", &[])),
        counts("defects, 2 of 5", || defects((1, 5))),
        counts("leaks of GCM-SIV, avx512", || watched(|by| by[1..] == ["avx512", "GCM-SIV"], &[])),
        counts("defects, 3 of 5", || defects((2, 5))),
        counts("leaks, vaes256", || watched(|by| by[1] == "vaes256", &[])),
        counts("defects, 4 of 5", || defects((3, 5))),
        counts("other leaks, avx512", || {
            watched(|by| by[1] == "avx512" && by[2] != "GCM-SIV", &[])
        }),
        counts("defects, 5 of 5", || defects((4, 5))),
    ],
];

/// The parts that use what packages of languages are built in, and come after these.
const OF_FIRST_LANE: [usize; 2] = [5, 6];

impl Turn {
    /// Reads `--all` or `--turn N` before the names of parts. Without both, the number of commits
    /// says it.
    pub(super) fn read<'w, 's>(words: &'w [&'s str]) -> Result<(Self, &'w [&'s str]), Failure> {
        match words {
            ["--all", parts @ ..] => Ok((Self::All, parts)),
            ["--turn", number, parts @ ..] => match number.parse() {
                Ok(number @ 1..) => Ok((Self::of_number(number - 1), parts)),
                _ => Err(Failure::new(format!(
                    "--turn {number}: not a number from 1 on; {} and more choose other slices",
                    PARTS.len() + 1
                ))),
            },
            parts => Ok((Self::of_number(number_of_this_run()?), parts)),
        }
    }

    fn of_number(number: usize) -> Self {
        Self::One(number % PARTS.len(), number / PARTS.len())
    }

    /// The heading of the times.
    pub(super) fn described(&self) -> String {
        match self {
            Self::All => "All of what is taken in turn.\n\n".to_owned(),
            Self::One(part, round) => {
                let slices = PARTS[*part];
                format!("In turn: {}.\n\n", slices[round % slices.len()].0)
            }
        }
    }
}

/// The number of commits, which is one more in each run; in a clone that has not all of them, a
/// number that the hash of the commit gives.
fn number_of_this_run() -> Result<usize, Failure> {
    let said = |words: &[&str]| capture(&mut program("git", words));
    let number = |text: &str, radix| {
        let number = usize::from_str_radix(text.trim(), radix);
        number.map_err(|e| Failure::new(format!("git said `{text}`: {e}")))
    };
    if said(&["rev-parse", "--is-shallow-repository"])?.trim() == "true" {
        println!("this clone is shallow: the hash of the commit says what is taken in turn");
        return number(&said(&["rev-parse", "--short=7", "HEAD"])?, 16);
    }
    number(&said(&["rev-list", "--count", "HEAD"])?, 10)
}

/// Takes this turn's work, in the first or the second lane.
pub(super) fn in_turn(turn: &Turn, is_first: bool, tally: &mut Tally) {
    for (number, part) in PARTS.iter().enumerate() {
        if OF_FIRST_LANE.contains(&number) != is_first {
            continue;
        }
        for (slice, step) in part.iter().enumerate() {
            let is_taken = match turn {
                Turn::All => true,
                Turn::One(chosen, round) => *chosen == number && round % part.len() == slice,
            };
            if is_taken {
                step.take(tally);
            } else {
                let turn = number + 1 + slice * PARTS.len();
                tally.add_left_out(&format!("{} (--turn {turn})", step.0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_and_slice_has_its_turn() {
        let mut seen = std::collections::BTreeSet::new();
        let most = PARTS.iter().map(|part| part.len()).max().unwrap();
        for number in 1000..1000 + PARTS.len() * most {
            let word = number.to_string();
            if let Ok((Turn::One(part, round), ["test"])) = Turn::read(&["--turn", &word, "test"]) {
                seen.insert((part, round % PARTS[part].len()));
            }
        }
        assert_eq!(seen.len(), PARTS.iter().map(|part| part.len()).sum::<usize>());
        assert!(matches!(Turn::read(&["--all"]), Ok((Turn::All, []))));
        assert!(Turn::read(&["--turn", "0"]).is_err());
    }
}
