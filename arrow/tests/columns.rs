//! Arrays in, arrays out: each row is one message, and nulls and slices are what they were.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use arrow_array::types::ByteArrayType;
use arrow_array::{
    Array, BinaryArray, GenericByteArray, LargeBinaryArray, LargeStringArray, StringArray,
};
use sivka::{Aead, Aes256GcmSiv, Algorithm, BatchAad, NonceRule};
use sivka_arrow::{Error, open, seal, try_open};

const CONTEXT: BatchAad<'_> = BatchAad::Common(b"table.column");

/// Texts of many lengths; every seventh is null.
fn texts(count: usize) -> Vec<Option<String>> {
    let text = |i: usize| (i % 7 != 3).then(|| "x".repeat(i * i % 41));
    (0..count).map(text).collect()
}

/// Seals, looks at every row by itself, and opens again.
fn round_trip<T: ByteArrayType>(key: &dyn Aead, values: &GenericByteArray<T>) {
    let sealed = seal(key, values, CONTEXT).unwrap();
    assert_eq!(sealed.nulls(), values.nulls());
    let opened = open(key, &sealed, CONTEXT).unwrap();
    assert_eq!(opened.nulls(), values.nulls());
    for i in (0..values.len()).filter(|i| values.is_valid(*i)) {
        let value: &[u8] = values.value(i).as_ref();
        let row = key.open(sealed.value(i), b"table.column").unwrap();
        assert_eq!((row.as_slice(), opened.value(i)), (value, value));
    }
    assert_eq!(try_open(key, &sealed, CONTEXT).unwrap(), opened);
}

#[test]
fn every_kind_of_array_and_every_algorithm() {
    for algorithm in Algorithm::all() {
        let key = algorithm.new_key(&vec![7; algorithm.key_len()]).unwrap();
        let strings = StringArray::from(texts(300));
        if algorithm.nonce_rule() == NonceRule::Counter {
            let refused = Err(Error::Sivka(sivka::Error::NoRandomNonce));
            assert_eq!(seal(&*key, &strings, CONTEXT), refused);
            continue;
        }
        round_trip(&*key, &strings);
        round_trip(&*key, &LargeStringArray::from(texts(300)));
        round_trip(&*key, &BinaryArray::from(strings));
        let sixteen = LargeBinaryArray::from_iter_values([[1_u8; 16]; 100]);
        round_trip(&*key, &sixteen);
        round_trip(&*key, &StringArray::from(Vec::<&str>::new()));
    }
}

#[test]
fn slices_are_sealed_without_what_is_around_them() {
    let key = Aes256GcmSiv::new(&[7; 32]);
    let strings = StringArray::from(texts(100));
    let rows = seal(&key, &strings, CONTEXT).unwrap();
    for (first, count) in [(0, 100), (1, 99), (5, 20), (13, 1), (17, 0), (64, 36)] {
        let slice = strings.slice(first, count);
        round_trip(&key, &slice);
        let text_len: usize = slice.iter().flatten().map(str::len).sum();
        let present = count - slice.null_count();
        let sealed = seal(&key, &slice, CONTEXT).unwrap();
        assert_eq!(sealed.value_data().len(), text_len + 28 * present);
        // A slice of rows opens as well.
        let opened = open(&key, &rows.slice(first, count), CONTEXT).unwrap();
        assert_eq!(StringArray::try_from_binary(opened).unwrap(), slice);
    }
}

#[test]
fn a_row_that_does_not_open_is_named_or_null() {
    let key = Aes256GcmSiv::new(&[7; 32]);
    let strings = StringArray::from(texts(20));
    let sealed = seal(&key, &strings, CONTEXT).unwrap();
    let mut rows: Vec<_> = sealed.iter().map(|row| row.map(<[u8]>::to_vec)).collect();
    rows[9].as_mut().unwrap()[12] ^= 1;
    rows[12] = Some(b"short".to_vec());
    let forged = BinaryArray::from_iter(rows);
    let refused = open(&key, &forged, CONTEXT);
    assert_eq!(refused, Err(Error::NotOpened { row: 9 }));
    let opened = StringArray::try_from_binary(try_open(&key, &forged, CONTEXT).unwrap()).unwrap();
    for (i, text) in texts(20).iter().enumerate() {
        let expected = text.as_deref().filter(|_| i != 9 && i != 12);
        let value = opened.is_valid(i).then(|| opened.value(i));
        assert_eq!(value, expected, "row {i}");
    }
    let other = BatchAad::Common(b"other");
    assert_eq!(open(&key, &sealed, other), Err(Error::NotOpened { row: 0 }));
    let none = BinaryArray::from_vec(vec![b"short"; 3]);
    assert_eq!(try_open(&key, &none, CONTEXT).unwrap().null_count(), 3);
}

#[test]
fn a_context_for_each_value() {
    let key = Aes256GcmSiv::new(&[7; 32]);
    let strings = StringArray::from(vec!["one", "two"]);
    let contexts: [&[u8]; 2] = [b"1", b"22"];
    let sealed = seal(&key, &strings, BatchAad::Slices(&contexts)).unwrap();
    assert_eq!(key.open(sealed.value(1), b"22").unwrap(), b"two");
    let too_few = seal(&key, &strings, BatchAad::Slices(&contexts[..1]));
    let is_shape = |error| matches!(error, Error::Sivka(sivka::Error::BatchShape { .. }));
    assert!(too_few.is_err_and(is_shape));
}
