//! Columns hold the bytes of one message at a time, whatever their lengths and nulls, and one
//! bad row hides none of the others.

use sivka::{
    Aead, Algorithm, BatchAad, Column, ColumnNonces, Error, Offsets, OffsetsMut, Status, Tier,
    Validity,
};
use sivka_judge::OneKey;
use sivka_judge::conformance::{self, Many};
use sivka_judge::shapes::{Count, Coverage, Messages, SplitMix64};
use sivka_oracle::lengths::painted;

/// Values or rows, none of which is a null.
pub(crate) fn column<'a>(bytes: &'a [u8], ends: &'a [i64]) -> Column<'a> {
    Column { bytes, offsets: Offsets::Bits64(ends), validity: None }
}

/// The rows of these values, and their bounds.
pub(crate) fn seal(
    key: &dyn Aead,
    nonces: ColumnNonces<'_>,
    values: &Column<'_>,
    aad: BatchAad<'_>,
) -> Result<(Vec<u8>, Vec<i64>), Error> {
    let mut rows = vec![0; key.sealed_column_len(values)?];
    let mut ends = vec![0; values.len() + 1];
    key.seal_column(nonces, values, aad, &mut rows, OffsetsMut::Bits64(&mut ends))?;
    Ok((rows, ends))
}

/// What became of opening rows, in memory that was not zeros.
pub(crate) struct Opened {
    pub(crate) verdict: Result<(), Error>,
    pub(crate) values: Vec<u8>,
    pub(crate) ends: Vec<i64>,
    pub(crate) statuses: Vec<Status>,
}

pub(crate) fn open(key: &dyn Aead, rows: &Column<'_>, aad: BatchAad<'_>) -> Opened {
    let mut values = vec![0xff; key.opened_column_len(rows).unwrap()];
    let (mut ends, mut statuses) = (vec![9; rows.len() + 1], vec![Status::Refused; rows.len()]);
    let bounds = OffsetsMut::Bits64(&mut ends);
    let verdict = key.open_column(rows, aad, &mut values, bounds, &mut statuses);
    Opened { verdict, values, ends, statuses }
}

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
    let seal_to = |column: &Column<'_>, nonces: &[u8], len: usize, offsets: usize| {
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
    assert_eq!(seal_to(&column, &nonces, len, 3), Ok(()));
    let output = |given| Err(Error::OutputLen { expected: len, given });
    assert_eq!(seal_to(&column, &nonces, len + 1, 3), output(len + 1));
    assert_eq!(seal_to(&column, &nonces, len, 2), shape("output offsets", 3, 2));
    assert_eq!(seal_to(&column, &nonces[..12], len, 3), shape("nonces", 24, 12));
    assert_eq!(seal_to(&with(&[]), &[], 0, 1), shape("offsets", 1, 0));
    assert_eq!(seal_to(&with(&[3, 0]), &[], 0, 1), shape("offsets", 3, 0));
    assert_eq!(seal_to(&with(&[0, 99]), &[], 0, 1), shape("offsets", 12, 99));
    assert_eq!(seal_to(&with(&[-1, 2]), &[], 0, 1), Err(Error::NegativeOffset { given: -1 }));
    // Values of one length go another way.
    for beyond in [&[0, 6, 12, 18][..], &[4, 12, 20]] {
        let column = Column { validity: None, ..with(beyond) };
        let last = *beyond.last().unwrap() as usize;
        assert_eq!(seal_to(&column, &[], 0, 1), shape("offsets", 12, last));
    }
    let long = [0; 6];
    assert_eq!(seal_to(&with(&long), &[], 0, 6), shape("bits of validity", 10, 8));
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
            let key = &*algorithm.new_key_with_tier(&key, tier).unwrap();
            let values = painted(2, 20 * count);
            let ends: Vec<i64> = (0..=count as i64).map(|i| 20 * i).collect();
            let nonces = vec![1; count * algorithm.nonce_len()];
            let (nonces, aad) = (ColumnNonces::Given(&nonces), BatchAad::Common(b""));
            let (rows, mut ends) = seal(key, nonces, &column(&values, &ends), aad).unwrap();
            for i in 1..=count / 2 {
                ends[1 + i] -= MOVED * i as i64;
                ends[1 + count / 2 + i] -= MOVED * (count / 2 - i) as i64;
            }
            let all_there = Validity { bitmap: &[0xff], first_bit: 0 };
            for validity in [None, Some(all_there)] {
                let opened = open(key, &Column { validity, ..column(&rows, &ends) }, aad);
                assert_eq!(opened.verdict, Err(Error::Batch { failed: count - 1 }));
                assert_eq!(opened.statuses[0], Status::Done);
                let mut others = opened.statuses[1..].iter();
                assert!(others.all(|status| *status == Status::NotOpened));
                assert_eq!(opened.ends[..2], [0, 20]);
                assert_eq!(opened.values[..20], values[..20]);
                assert!(opened.values[20..].iter().all(|byte| *byte == 0));
            }
        }
    }
}
