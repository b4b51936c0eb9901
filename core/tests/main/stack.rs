//! 128 KiB of stack are enough for every call, as the crate's documentation says.

use crate::column::{column, open, seal};
use sivka::{Algorithm, BatchAad, BatchText, ColumnNonces, NonceRule, Status, Tier};
use std::thread;

const STACK: usize = 128 << 10;
const COUNT: usize = 40;

/// Makes a key, which may be the first of its algorithm on its tier, a batch and a column.
fn use_all(algorithm: &Algorithm, tier: Tier) {
    let key = algorithm.new_key_with_tier(&vec![7; algorithm.key_len()], tier).unwrap();
    let nonces = vec![1; COUNT * algorithm.nonce_len()];
    let offsets: [usize; COUNT + 1] = std::array::from_fn(|i| i * i);
    let mut bytes = vec![0; COUNT * COUNT];
    let mut tags = vec![0; COUNT * algorithm.tag_len()];
    let mut statuses = [Status::Done; COUNT];
    let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    let aad = BatchAad::Common(b"aad");
    key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses).unwrap();

    let (bytes, ends) = ([0; COUNT * COUNT], offsets.map(|end| end as i64));
    let values = column(&bytes, &ends);
    let (rows, ends) = seal(&*key, ColumnNonces::Given(&nonces), &values, aad).unwrap();
    assert_eq!(open(&*key, &column(&rows, &ends), aad).values, bytes);
    if algorithm.nonce_rule() != NonceRule::Counter {
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
