//! Columns hold the bytes of one message at a time, whatever their lengths and nulls, and one
//! bad row hides none of the others.

use sivka::{
    Algorithm, BatchAad, Column, ColumnNonces, Error, Offsets, OffsetsMut, Status, Tier, Validity,
};
use sivka_judge::OneKey;
use sivka_judge::conformance::{self, Many};
use sivka_judge::shapes::{Count, Coverage, Messages, Shape, SplitMix64};
use sivka_oracle::lengths::painted;

/// Columns of each algorithm.
const SLABS: usize = 12;

/// Columns around the rows that are worked on at once; shorter ones are in the conformance tests.
#[test]
fn slabs_are_as_their_rows() {
    let seed = sivka_judge::seed();
    for algorithm in Algorithm::all() {
        let reference = conformance::algorithm(algorithm.name());
        let key = painted(1, algorithm.key_len());
        let mut coverage = Coverage::new(reference.parts(), &[Count::Slab]);
        let mut source = SplitMix64::new(seed);
        for round in 0..SLABS {
            let shape = coverage.draw(&mut source);
            let messages = Messages::draw(shape, reference.parts(), &mut source);
            let mut many = Many::new(reference, &key, &messages);
            // The narrowest tier comes first, and takes as long as many.
            let tiers: Vec<Tier> = Tier::available().collect();
            let first = usize::from(round % 4 > 0 && tiers.len() > 1);
            let executions = tiers[first..]
                .iter()
                .map(|tier| many.check(&OneKey::new(algorithm, &key, *tier)))
                .sum();
            coverage.add(&messages, executions);
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused_before_anything_is_written() {
    let key = Algorithm::find("AES-256-GCM-SIV").unwrap().new_key(&[7; 32]).unwrap();
    // Bytes in front of the first value, and bits in front of its bit: a slice of a column.
    let column = Column {
        bytes: &[1; 12],
        offsets: Offsets::Bits64(&[5, 8, 12]),
        validity: Some(Validity { bitmap: &[0b110_0000], first_bit: 5 }),
    };
    let seal = |column: &Column<'_>, nonces: &[u8], len: usize, offsets: usize| {
        let (mut sealed, mut ends) = (vec![7; len], vec![7; offsets]);
        let out = OffsetsMut::Bits32(&mut ends);
        let given = ColumnNonces::Given(nonces);
        let done = key.seal_column(given, column, BatchAad::Common(&[]), &mut sealed, out);
        if done.is_err() {
            assert!(sealed.iter().all(|byte| *byte == 7) && ends.iter().all(|end| *end == 7));
        }
        done
    };
    let shape = |what, expected, given| Err(Error::BatchShape { what, expected, given });
    let with = |offsets| Column { offsets: Offsets::Bits64(offsets), ..column };
    assert!(!column.is_empty() && with(&[]).is_empty() && with(&[3]).is_empty());
    let nonces = [1; 24];
    let len = 2 * 28 + 7;
    assert_eq!(seal(&column, &nonces, len, 3), Ok(()));
    let output = |given| Err(Error::OutputLen { expected: len, given });
    assert_eq!(seal(&column, &nonces, len + 1, 3), output(len + 1));
    assert_eq!(seal(&column, &nonces, len, 2), shape("output offsets", 3, 2));
    assert_eq!(seal(&column, &nonces[..12], len, 3), shape("nonces", 24, 12));
    assert_eq!(seal(&with(&[]), &[], 0, 1), shape("offsets", 1, 0));
    assert_eq!(seal(&with(&[3, 0]), &[], 0, 1), shape("offsets", 3, 0));
    assert_eq!(seal(&with(&[0, 99]), &[], 0, 1), shape("offsets", 12, 99));
    assert_eq!(seal(&with(&[-1, 2]), &[], 0, 1), Err(Error::NegativeOffset { given: -1 }));
    // Values of one length go another way.
    for beyond in [&[0, 6, 12, 18][..], &[4, 12, 20]] {
        let column = Column { validity: None, ..with(beyond) };
        let last = *beyond.last().unwrap() as usize;
        assert_eq!(seal(&column, &[], 0, 1), shape("offsets", 12, last));
    }
    let long = [0; 6];
    assert_eq!(seal(&with(&long), &[], 0, 6), shape("bits of validity", 10, 8));
}

/// Values that differ, and are together as long as if none did.
#[test]
fn lengths_that_make_up_for_each_other_are_not_equal() {
    for lens in [&[8, 4, 12][..], &[8, 4, 12, 4, 12], &[8, 4, 4, 16]] {
        for algorithm in Algorithm::all() {
            let reference = conformance::algorithm(algorithm.name());
            let key = painted(3, algorithm.key_len());
            let lens = lens.iter().map(|len| (*len, 0)).collect();
            let messages =
                Messages::of_lens(Shape::PLAIN, reference.parts(), lens, &mut SplitMix64::new(1));
            let mut many = Many::new(reference, &key, &messages);
            for tier in Tier::available() {
                many.check(&OneKey::new(algorithm, &key, tier));
            }
        }
    }
}

/// All rows together are as long as if none were too short. With two short and two long ones,
/// the differences from the first row also cancel out.
#[test]
fn a_short_row_does_not_open_where_a_longer_one_makes_up_for_it() {
    /// More than a value has: what is left of a row is no nonce and tag.
    const MOVED: i64 = 24;
    for algorithm in Algorithm::all() {
        for (tier, count) in Tier::available().flat_map(|tier| [(tier, 3), (tier, 5)]) {
            let key = painted(1, algorithm.key_len());
            let key = algorithm.new_key_with_tier(&key, tier).unwrap();
            let values = painted(2, 20 * count);
            let mut ends: Vec<i64> = (0..=count as i64).map(|i| 20 * i).collect();
            let column =
                Column { bytes: &values, offsets: Offsets::Bits64(&ends.clone()), validity: None };
            let mut rows = vec![0; key.sealed_column_len(&column).unwrap()];
            let nonces = vec![1; count * algorithm.nonce_len()];
            let (aad, out) = (BatchAad::Common(b""), OffsetsMut::Bits64(&mut ends));
            key.seal_column(ColumnNonces::Given(&nonces), &column, aad, &mut rows, out).unwrap();
            for i in 1..=count / 2 {
                ends[1 + i] -= MOVED * i as i64;
                ends[1 + count / 2 + i] -= MOVED * (count / 2 - i) as i64;
            }
            let all_there = Validity { bitmap: &[0xff], first_bit: 0 };
            for validity in [None, Some(all_there)] {
                let column = Column { bytes: &rows, offsets: Offsets::Bits64(&ends), validity };
                let mut opened = vec![9; key.opened_column_len(&column).unwrap()];
                let (mut bounds, mut statuses) = (vec![9; count + 1], vec![Status::Refused; count]);
                let out = OffsetsMut::Bits64(&mut bounds);
                let verdict = key.open_column(&column, aad, &mut opened, out, &mut statuses);
                assert_eq!(verdict, Err(Error::Batch { failed: count - 1 }));
                assert_eq!(statuses[0], Status::Done);
                let mut others = statuses[1..].iter();
                assert!(others.all(|status| *status == Status::NotOpened));
                assert_eq!(bounds[..2], [0, 20]);
                assert_eq!(opened[..20], values[..20]);
                assert!(opened[20..].iter().all(|byte| *byte == 0));
            }
        }
    }
}
