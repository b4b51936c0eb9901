//! Where two runs differ, all of it: after a difference the runs are brought together again.

use super::Step;
use std::collections::BTreeSet;

const BRANCH: &str = "a branch goes two ways";
const DATA: &str = "an address differs";
const END: &str = "the runs do not come together again";

/// An instruction that gives a secret away, and how.
pub(super) type Difference = (u64, &'static str);

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
                found.insert((a.at, DATA));
            }
            last = a.at;
            (i, j) = (i + 1, j + 1);
            continue;
        }
        found.insert((last, BRANCH));
        let Some((ahead, behind)) = meeting(&first[i..], &second[j..]) else {
            found.insert((last, END));
            return found;
        };
        (i, j) = (i + ahead, j + behind);
    }
    if (i, j) != (first.len(), second.len()) {
        found.insert((last, END));
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
