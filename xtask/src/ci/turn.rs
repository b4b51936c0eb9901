//! What CI does in turn: each run takes one part of this, so that every change is seen by all
//! within so many runs. `--all` takes all.

use super::Step::{self, Counts, Holds};
use super::take;
use crate::process::{Failure, Tally, capture, program};
use crate::{
    blob, constant_time, emulated, integrations, mutants, planted, test, tiers, traces, zeroization,
};

/// What a run takes of it.
pub(super) enum Turn {
    All,
    /// One part, and which slice of what is cut into slices.
    One(usize, usize),
}

/// One part: its name, whether it uses what packages of languages are built in, so that it comes
/// after these, and what it does.
type Part = (&'static str, bool, &'static [(&'static str, Step)]);

const PARTS: [Part; 8] = [
    (
        "other builds of Rust",
        false,
        &[("other builds of Rust", Counts(test::other_builds))],
    ),
    ("s390x", false, &[("s390x", Counts(emulated::s390x))]),
    (
        "WebAssembly, AArch64 without SHA-3",
        false,
        &[(
            "WebAssembly, AArch64 without SHA-3",
            Counts(emulated::webassembly_and_aarch64),
        )],
    ),
    (
        "kernels on emulated CPUs, constant time of avx2",
        false,
        &[
            ("kernels on emulated CPUs", Counts(tiers::kernels)),
            ("constant time of avx2", Counts(constant_time::avx2)),
        ],
    ),
    (
        "traces of what ships, and of Go",
        false,
        &[("traces of what ships, and of Go", Counts(traces::run))],
    ),
    (
        "machine code of Go, zeroization of what ships",
        false,
        &[
            ("machine code of Go, made twice", Holds(blob::twice)),
            (
                "zeroization of what ships",
                Counts(zeroization::of_what_ships),
            ),
        ],
    ),
    (
        "older runtimes, Tink and OpenSSL, Spark's cluster",
        true,
        &[
            (
                "older runtimes, Tink and OpenSSL",
                Counts(test::other_runtimes),
            ),
            ("Spark's cluster", Counts(integrations::on_cluster)),
        ],
    ),
    ("planted leaks and defects", false, &[]),
];

/// So many runs plant all leaks and defects, half of them the one, half the other.
const SLICES: usize = 8;

impl Turn {
    /// Reads `--all` or `--turn N` before the names of parts. Without both, the number of commits
    /// says it.
    pub(super) fn read<'w, 's>(words: &'w [&'s str]) -> Result<(Self, &'w [&'s str]), Failure> {
        match words {
            ["--all", parts @ ..] => Ok((Self::All, parts)),
            ["--turn", number, parts @ ..] => match number.parse() {
                Ok(number @ 1..) => Ok((Self::of_number(number - 1), parts)),
                _ => Err(Failure::new(format!(
                    "--turn {number}: not a number from 1 on; {} and more choose other slices of \
                     what is planted",
                    PARTS.len() + 1
                ))),
            },
            parts => Ok((Self::of_number(number_of_this_run()?), parts)),
        }
    }

    fn of_number(number: usize) -> Self {
        Self::One(number % PARTS.len(), number / PARTS.len() % SLICES)
    }

    /// The heading of the times.
    pub(super) fn described(&self) -> String {
        match self {
            Self::All => "All of what is taken in turn.\n\n".to_owned(),
            Self::One(part, _) => format!("In turn: {}.\n\n", PARTS[*part].0),
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
    let last = PARTS.len() - 1;
    for (number, (name, is_of_first, steps)) in PARTS.iter().enumerate() {
        let slice = match turn {
            _ if *is_of_first != is_first => continue,
            Turn::All => None,
            Turn::One(chosen, slice) if *chosen == number => Some(*slice),
            Turn::One(..) => {
                let turn = format!("turn {} of {}", number + 1, PARTS.len());
                tally.add_left_out(&format!("{name}, in {turn}"));
                continue;
            }
        };
        for (name, step) in *steps {
            take(name, step, tally);
        }
        if number == last {
            tally.stage(name, |part| plant(slice, part));
        }
    }
}

/// Defects in the first half of the slices, leaks in the second.
fn plant(slice: Option<usize>, tally: &mut Tally) {
    let half = SLICES / 2;
    if slice.is_none_or(|slice| slice < half) {
        tally.append("", mutants::functional(slice.map(|slice| (slice, half))));
    }
    if slice.is_none_or(|slice| slice >= half) {
        tally.append(
            "",
            planted::of_slice(slice.map(|slice| (slice - half, half))),
        );
    }
    if let Some(slice) = slice {
        tally.add_left_out(&format!(
            "slices of what is planted, but {} of {SLICES}",
            slice + 1
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_and_slice_has_its_turn() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 1000..1000 + PARTS.len() * SLICES {
            let Turn::One(part, slice) = Turn::of_number(number) else {
                panic!("one part");
            };
            seen.insert((part, slice));
        }
        assert_eq!(seen.len(), PARTS.len() * SLICES);
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
