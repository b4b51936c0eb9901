//! What is read of keysets in JSON on which Tink's libraries differ, as the README says it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "data/differences.rs"]
mod differences;

use sivka_keyset::{Keyset, ReadOptions};

#[test]
fn every_row_of_the_table_is_so() {
    let texts = differences::texts();
    let table = include_str!("../README.md").lines();
    let table = table.skip_while(|line| !line.starts_with("| in JSON |"));
    let rows = table.take_while(|line| line.starts_with('|')).count() - 2;
    assert_eq!(texts.len(), rows);
    for (row, text) in texts {
        let read = Keyset::from_insecure_json(text.as_bytes(), ReadOptions::default());
        let seals = read.as_ref().is_ok_and(|keyset| keyset.aead().is_ok());
        let said = differences::said(row, "Sivka");
        let (reads, refuses) = (said.starts_with("read"), said.starts_with("refused"));
        assert_eq!((reads, refuses), (seals, !seals), "{row}: {said}, {read:?}");
    }
}
