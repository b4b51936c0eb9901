//! What CI does in turn: each run takes one part of this, so that every change is seen by all
//! within so many runs. `--all` takes all.

use super::Step::{self, Counts, Holds};
use super::take;
use crate::planted::Watched::{ByTracesOn, ByValgrind};
use crate::process::{Failure, Tally, capture, program};
use crate::{blob, constant_time, emulated, languages, planted, test, tiers, traces, zeroization};

/// What a run takes of it.
pub(super) enum Turn {
    All,
    /// One part; and the how many-th time it is its turn, of which that takes a slice.
    One(usize, usize),
}

type Slice = &'static [(&'static str, Step)];

struct Part {
    name: &'static str,
    /// It uses what packages of languages are built in, and comes after these.
    is_first: bool,
    /// No slice takes more than five minutes.
    slices: &'static [Slice],
}

const PARTS: [Part; 8] = [
    Part {
        name: "other builds of Rust",
        is_first: false,
        slices: &[
            &[("other builds of Rust", Counts(test::other_builds))],
            &[(
                "the oldest compiler's tests",
                Counts(test::with_oldest_compiler),
            )],
        ],
    },
    Part {
        name: "s390x",
        is_first: false,
        slices: &[&[("s390x", Counts(emulated::s390x))]],
    },
    Part {
        name: "WebAssembly, AArch64 without SHA-3",
        is_first: false,
        slices: &[
            &[("WebAssembly", Counts(emulated::webassembly))],
            &[(
                "AArch64 without SHA-3",
                Counts(emulated::aarch64_without_sha3),
            )],
        ],
    },
    Part {
        name: "kernels on emulated CPUs, constant time of avx2, Tink and OpenSSL",
        is_first: false,
        slices: &[
            &[("kernels on emulated CPUs", Counts(tiers::kernels))],
            &[
                ("constant time of avx2", Counts(constant_time::avx2)),
                ("Tink and OpenSSL", Counts(languages::judges)),
            ],
        ],
    },
    Part {
        name: "traces of what ships, and of Go",
        is_first: false,
        slices: &[
            &[("traces of vaes256", Counts(|| traces::shipped("vaes256")))],
            &[("traces of avx512", Counts(|| traces::shipped("avx512")))],
            &[("traces of Go", Counts(traces::go))],
        ],
    },
    Part {
        name: "zeroization of what ships, machine code of Go",
        is_first: true,
        slices: &[
            &[(
                "zeroization of what ships",
                Counts(zeroization::of_what_ships),
            )],
            &[("machine code of Go, made twice", Holds(blob::twice))],
            &[("Go, built otherwise", Counts(languages::otherwise_built))],
        ],
    },
    Part {
        name: "older runtimes, Spark's cluster",
        is_first: true,
        slices: &[
            &[("older runtimes", Counts(languages::older))],
            &[("Spark's cluster", Counts(languages::spark_on_cluster))],
        ],
    },
    Part {
        name: "planted leaks and defects",
        is_first: false,
        slices: &[
            &[(
                "planted defects, 1 of 5",
                Counts(|| planted::defects((0, 5))),
            )],
            &[(
                "planted leaks, valgrind",
                Counts(|| planted::watched(ByValgrind)),
            )],
            &[(
                "planted defects, 2 of 5",
                Counts(|| planted::defects((1, 5))),
            )],
            &[(
                "planted leaks, avx512",
                Counts(|| planted::watched(ByTracesOn("avx512"))),
            )],
            &[(
                "planted defects, 3 of 5",
                Counts(|| planted::defects((2, 5))),
            )],
            &[(
                "planted leaks, vaes256",
                Counts(|| planted::watched(ByTracesOn("vaes256"))),
            )],
            &[(
                "planted defects, 4 of 5",
                Counts(|| planted::defects((3, 5))),
            )],
            &[(
                "planted defects, 5 of 5",
                Counts(|| planted::defects((4, 5))),
            )],
        ],
    },
];

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
                let slices = PARTS[*part].slices;
                let names = slices[round % slices.len()].iter().map(|(name, _)| *name);
                format!("In turn: {}.\n\n", names.collect::<Vec<_>>().join(", "))
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

/// Takes what is the turn of, in the first or the second lane.
pub(super) fn in_turn(turn: &Turn, is_first: bool, tally: &mut Tally) {
    for (number, part) in PARTS.iter().enumerate() {
        if part.is_first != is_first {
            continue;
        }
        let count = part.slices.len();
        let chosen = match turn {
            Turn::All => part.slices,
            Turn::One(chosen, round) if *chosen == number => {
                let slice = round % count;
                if count > 1 {
                    tally.add_left_out(&format!(
                        "{}, but slice {} of {count}",
                        part.name,
                        slice + 1
                    ));
                }
                &part.slices[slice..=slice]
            }
            Turn::One(..) => {
                let turn = format!("turn {} of {}", number + 1, PARTS.len());
                tally.add_left_out(&format!("{}, in {turn}", part.name));
                &[]
            }
        };
        for (name, step) in chosen.iter().copied().flatten() {
            take(name, step, tally);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_and_slice_has_its_turn() {
        let mut seen = std::collections::BTreeSet::new();
        let most = PARTS.iter().map(|part| part.slices.len()).max().unwrap();
        for number in 1000..1000 + PARTS.len() * most {
            let Turn::One(part, round) = Turn::of_number(number) else {
                panic!("one part");
            };
            seen.insert((part, round % PARTS[part].slices.len()));
        }
        let slices = PARTS.iter().map(|part| part.slices.len()).sum::<usize>();
        assert_eq!(seen.len(), slices);
    }

    #[test]
    fn words_say_the_turn() {
        assert!(matches!(
            Turn::read(&["--all", "test"]),
            Ok((Turn::All, ["test"]))
        ));
        assert!(matches!(
            Turn::read(&["--turn", "9"]),
            Ok((Turn::One(0, 1), []))
        ));
        assert!(Turn::read(&["--turn", "0"]).is_err());
    }
}
