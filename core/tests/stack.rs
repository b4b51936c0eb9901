//! 128 KiB of stack are enough for every call, as the crate's documentation says.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, NonceRule, Offsets, OffsetsMut,
    Status, Tier,
};
use std::thread;

const STACK: usize = 128 << 10;
const COUNT: usize = 40;

/// Makes a key, which may be the first of its algorithm on its tier, a batch and a column.
fn use_all(algorithm: &Algorithm, tier: Tier) {
    let key = algorithm.new_key_with_tier(&vec![7; algorithm.key_len()], tier).unwrap();
    let nonces = vec![1; COUNT * algorithm.nonce_len()];
    let offsets: Vec<usize> = (0..=COUNT).map(|i| i * i).collect();
    let mut bytes = vec![0; COUNT * COUNT];
    let mut tags = vec![0; COUNT * algorithm.tag_len()];
    let mut statuses = [Status::Done; COUNT];
    let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    key.seal_batch(&nonces, BatchAad::Common(b"aad"), text, &mut tags, &mut statuses).unwrap();
    use_columns(&*key, &nonces);
}

fn use_columns(key: &dyn Aead, nonces: &[u8]) {
    let ends: Vec<i32> = (0..=COUNT as i32).map(|i| i * i).collect();
    let bytes = [0; COUNT * COUNT];
    let values = Column { bytes: &bytes, offsets: Offsets::Bits32(&ends), validity: None };
    let mut rows = vec![0; key.sealed_column_len(&values).unwrap()];
    let mut row_ends = [0; COUNT + 1];
    let aad = BatchAad::Common(b"aad");
    let sealed = OffsetsMut::Bits32(&mut row_ends);
    key.seal_column(ColumnNonces::Given(nonces), &values, aad, &mut rows, sealed).unwrap();
    let rows = Column { bytes: &rows, offsets: Offsets::Bits32(&row_ends), validity: None };
    let (mut opened, mut opened_ends) = ([1; COUNT * COUNT], [0; COUNT + 1]);
    let to = OffsetsMut::Bits32(&mut opened_ends);
    key.open_column(&rows, aad, &mut opened, to, &mut [Status::Done; COUNT]).unwrap();
    assert_eq!(opened, bytes);
    if key.algorithm().nonce_rule() != NonceRule::Counter {
        assert_eq!(key.open(&key.seal(b"text", b"aad").unwrap(), b"aad").unwrap(), b"text");
    }
}

#[test]
fn a_small_stack_is_enough() {
    for tier in Tier::available() {
        for algorithm in Algorithm::all() {
            let small = thread::Builder::new().stack_size(STACK);
            let used = small.spawn(move || use_all(algorithm, tier)).unwrap();
            used.join().unwrap_or_else(|_| panic!("{algorithm} on {tier}"));
        }
    }
}
