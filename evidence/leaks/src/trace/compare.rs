//! Where two runs differ, all of it: after a difference the runs are brought together again.

use super::Step;
use std::collections::BTreeSet;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Branch,
    Data,
    End,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Branch => "a branch goes two ways",
            Self::Data => "an address differs",
            Self::End => "the runs do not come together again",
        })
    }
}

/// An instruction that gives a secret away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Difference {
    pub(super) at: u64,
    pub(super) kind: Kind,
}

/// How far the runs are searched for where they come together.
const REACH: usize = 4000;

/// So many equal instructions mean that they have.
const TOGETHER: usize = 12;

pub(super) fn compare(first: &[Step], second: &[Step]) -> BTreeSet<Difference> {
    let mut found = BTreeSet::new();
    let (mut i, mut j) = (0, 0);
    let mut last = 0;
    while i < first.len() && j < second.len() {
        let (a, b) = (first[i], second[j]);
        if a.at == b.at {
            if a.addresses != b.addresses {
                found.insert(Difference {
                    at: a.at,
                    kind: Kind::Data,
                });
            }
            last = a.at;
            (i, j) = (i + 1, j + 1);
            continue;
        }
        found.insert(Difference {
            at: last,
            kind: Kind::Branch,
        });
        let Some((ahead, behind)) = meeting(&first[i..], &second[j..]) else {
            found.insert(Difference {
                at: last,
                kind: Kind::End,
            });
            return found;
        };
        (i, j) = (i + ahead, j + behind);
    }
    if (i, j) != (first.len(), second.len()) {
        found.insert(Difference {
            at: last,
            kind: Kind::End,
        });
    }
    found
}

/// How many steps of each are left out until both do the same again.
fn meeting(first: &[Step], second: &[Step]) -> Option<(usize, usize)> {
    let same = |a: usize, b: usize| {
        let (a, b) = (first.get(a..)?, second.get(b..)?);
        let len = TOGETHER.min(a.len()).min(b.len());
        let same = len > 0 && a.iter().zip(b).take(len).all(|(a, b)| a.at == b.at);
        // At the end there may be less, but then as much of both.
        (same && (len == TOGETHER || a.len() == b.len())).then_some(())
    };
    (1..REACH).find_map(|distance| {
        let ways = (0..=distance).map(|a| (a, distance - a));
        ways.into_iter().find(|&(a, b)| same(a, b).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(places: &[u64]) -> Vec<Step> {
        let step = |at: &u64| Step {
            at: *at,
            addresses: 0,
        };
        places.iter().map(step).collect()
    }

    #[test]
    fn what_is_equal_does_not_differ() {
        assert!(compare(&run(&[1, 2, 3]), &run(&[1, 2, 3])).is_empty());
    }

    #[test]
    fn every_branch_and_every_address_is_found() {
        let tail: Vec<u64> = (100..200).collect();
        let mut first = run(&[&[1, 2, 3, 4], &tail[..], &[5, 6], &tail].concat());
        let mut second = run(&[&[1, 2, 4], &tail[..], &[5, 7, 7, 6], &tail].concat());
        first[10].addresses = 1;
        second[9].addresses = 2;
        let found: Vec<_> = compare(&first, &second).into_iter().collect();
        let difference = |at, kind| Difference { at, kind };
        let expected = [
            difference(2, Kind::Branch),
            difference(5, Kind::Branch),
            difference(106, Kind::Data),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn runs_that_part_for_good_say_so() {
        let found = compare(&run(&[1, 2, 3]), &run(&[1, 9, 9, 9, 8]));
        assert!(found.iter().any(|difference| difference.kind == Kind::End));
        let found = compare(&run(&[1, 2, 3]), &run(&[1, 2]));
        assert_eq!(found.len(), 1);
    }
}
