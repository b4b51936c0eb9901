//! Columns hold the bytes of one message at a time, whatever their lengths and nulls, and one
//! bad row hides none of the others.

use sivka::{
    Aead, Algorithm, BatchAad, Column, ColumnNonces, Error, NonceRule, Offsets, OffsetsMut, Status,
    Tier, UsageBound, Validity,
};
use sivka_judge::OneKey;
use sivka_judge::conformance::{self, Many};
use sivka_judge::shapes::{Count, Coverage, Messages, Shape, SplitMix64};
use sivka_oracle::lengths::painted;

/// Columns of each algorithm.
const SLABS: usize = 12;

/// A column as its own memory.
struct Values {
    bytes: Vec<u8>,
    offsets: Vec<i64>,
    bitmap: Vec<u8>,
}

/// Bytes in front of the first value, and bits in front of its bit: a slice of a column.
const BEFORE: usize = 5;

impl Values {
    /// Values of these lengths; those without one are null, with some bytes all the same.
    fn new(lens: &[Option<usize>]) -> Self {
        let mut values = Self {
            bytes: vec![1; BEFORE],
            offsets: vec![BEFORE as i64],
            bitmap: vec![0; (BEFORE + lens.len()).div_ceil(8)],
        };
        for (i, len) in lens.iter().enumerate() {
            values.bytes.extend(painted(i, len.unwrap_or(i % 3)));
            values.offsets.push(values.bytes.len() as i64);
            let bit = BEFORE + i;
            values.bitmap[bit / 8] |= u8::from(len.is_some()) << (bit % 8);
        }
        values
    }

    fn column(&self) -> Column<'_> {
        Column {
            bytes: &self.bytes,
            offsets: Offsets::Bits64(&self.offsets),
            validity: Some(Validity {
                bitmap: &self.bitmap,
                first_bit: BEFORE,
            }),
        }
    }

    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    fn get(&self, i: usize) -> Option<&[u8]> {
        let bit = BEFORE + i;
        (self.bitmap[bit / 8] >> (bit % 8) & 1 == 1)
            .then(|| &self.bytes[self.offsets[i] as usize..self.offsets[i + 1] as usize])
    }
}

/// MGM has no message that is empty in every part, and no nonce whose first bit is set.
fn nonces(algorithm: &Algorithm, count: usize) -> Vec<u8> {
    let nonce = |i: usize| {
        let mut nonce = painted(i * 31, algorithm.nonce_len());
        if let (
            NonceRule::Random {
                first_byte_mask, ..
            },
            Some(first),
        ) = (algorithm.nonce_rule(), nonce.first_mut())
        {
            *first &= first_byte_mask;
        }
        nonce
    };
    (0..count).flat_map(nonce).collect()
}

/// What the calls for one message make of each value.
fn one_by_one(key: &dyn Aead, values: &Values, nonces: &[u8], aads: &[&[u8]]) -> Vec<Vec<u8>> {
    let nonce_len = key.algorithm().nonce_len();
    let row = |i: usize| {
        let nonce = &nonces[i * nonce_len..][..nonce_len];
        values.get(i).map_or(Vec::new(), |value| {
            let mut row = nonce.to_vec();
            row.extend(key.seal_with_nonce(nonce, value, aads[i]).unwrap());
            row
        })
    };
    (0..values.count()).map(row).collect()
}

fn ends(rows: &[Vec<u8>]) -> Vec<i32> {
    let ends = rows.iter().scan(0, |end, row| {
        *end += row.len() as i32;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

fn rows_of<'a>(sealed: &'a [u8], offsets: &'a [i32], values: &'a Values) -> Column<'a> {
    Column {
        bytes: sealed,
        offsets: Offsets::Bits32(offsets),
        ..values.column()
    }
}

/// The values that a column opens to, with their offsets and statuses.
fn open(
    key: &dyn Aead,
    rows: &Column<'_>,
    aad: BatchAad<'_>,
) -> (Result<(), Error>, Vec<u8>, Vec<i64>, Vec<Status>) {
    let mut bytes = vec![9; key.opened_column_len(rows).unwrap()];
    let mut offsets = vec![9; rows.len() + 1];
    let mut statuses = vec![Status::Refused; rows.len()];
    let ends = OffsetsMut::Bits64(&mut offsets);
    let verdict = key.open_column(rows, aad, &mut bytes, ends, &mut statuses);
    (verdict, bytes, offsets, statuses)
}

fn for_each_key(mut check: impl FnMut(&dyn Aead)) {
    for algorithm in Algorithm::all() {
        for tier in Tier::available() {
            let key = algorithm
                .new_key_with_tier(&painted(1, algorithm.key_len()), tier)
                .unwrap();
            check(&*key);
        }
    }
}

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
    let key = Algorithm::find("AES-256-GCM-SIV")
        .unwrap()
        .new_key(&[7; 32])
        .unwrap();
    let values = Values::new(&[Some(3), Some(4)]);
    let column = values.column();
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
    let shape = |what, expected, given| {
        Err(Error::BatchShape {
            what,
            expected,
            given,
        })
    };
    let with = |offsets| Column {
        offsets: Offsets::Bits64(offsets),
        ..column
    };
    assert!(!column.is_empty() && with(&[]).is_empty() && with(&[3]).is_empty());
    let nonces = [1; 24];
    let len = 2 * 28 + 7;
    assert_eq!(seal(&column, &nonces, len, 3), Ok(()));
    let output = |given| {
        Err(Error::OutputLen {
            expected: len,
            given,
        })
    };
    assert_eq!(seal(&column, &nonces, len + 1, 3), output(len + 1));
    assert_eq!(
        seal(&column, &nonces, len, 2),
        shape("output offsets", 3, 2)
    );
    assert_eq!(
        seal(&column, &nonces[..12], len, 3),
        shape("nonces", 24, 12)
    );
    assert_eq!(seal(&with(&[]), &[], 0, 1), shape("offsets", 1, 0));
    assert_eq!(seal(&with(&[3, 0]), &[], 0, 1), shape("offsets", 3, 0));
    assert_eq!(seal(&with(&[0, 99]), &[], 0, 1), shape("offsets", 12, 99));
    assert_eq!(
        seal(&with(&[-1, 2]), &[], 0, 1),
        Err(Error::NegativeOffset { given: -1 })
    );
    // Values of one length go another way.
    for beyond in [&[0, 6, 12, 18][..], &[4, 12, 20]] {
        let column = Column {
            validity: None,
            ..with(beyond)
        };
        let last = *beyond.last().unwrap() as usize;
        assert_eq!(seal(&column, &[], 0, 1), shape("offsets", 12, last));
    }
    let long = [0; 6];
    assert_eq!(
        seal(&with(&long), &[], 0, 6),
        shape("bits of validity", 10, 8)
    );
}

/// Values that differ, and are together as long as if none did.
#[test]
fn lengths_that_make_up_for_each_other_are_not_equal() {
    for lens in [&[8, 4, 12][..], &[8, 4, 12, 4, 12], &[8, 4, 4, 16]] {
        for algorithm in Algorithm::all() {
            let reference = conformance::algorithm(algorithm.name());
            let key = painted(3, algorithm.key_len());
            let lens = lens.iter().map(|len| (*len, 0)).collect();
            let messages = Messages::of_lens(
                Shape::PLAIN,
                reference.parts(),
                lens,
                &mut SplitMix64::new(1),
            );
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
    const MOVED: usize = 24;
    for_each_key(|key| {
        for count in [3, 5] {
            let values = Values::new(&vec![Some(20); count]);
            let nonces = nonces(key.algorithm(), count);
            let mut rows = one_by_one(key, &values, &nonces, &vec![&b""[..]; count]);
            for i in 1..=count / 2 {
                let left = rows[i].len() - MOVED;
                let cut = rows[i].split_off(left);
                rows[i + count / 2].extend(cut);
            }
            let (sealed, offsets) = (rows.concat(), ends(&rows));
            let of_all = rows_of(&sealed, &offsets, &values);
            let unsaid = Column {
                validity: None,
                ..of_all
            };
            for column in [of_all, unsaid] {
                let (verdict, bytes, bounds, statuses) = open(key, &column, BatchAad::Common(b""));
                assert_eq!(verdict, Err(Error::Batch { failed: count - 1 }));
                assert_eq!(statuses[0], Status::Done);
                assert!(
                    statuses[1..]
                        .iter()
                        .all(|status| *status == Status::NotOpened)
                );
                assert_eq!(bounds[..2], [0, 20]);
                assert_eq!(bytes[..20], *values.get(0).unwrap());
                assert!(bytes[20..].iter().all(|byte| *byte == 0));
            }
        }
    });
}

#[test]
fn a_bound_counts_the_values_that_are_there() {
    let mut key = Algorithm::find("AES-256-GCM-SIV")
        .unwrap()
        .new_key(&[7; 32])
        .unwrap();
    key.set_usage_bound(UsageBound::KIB_16.at_most(5));
    let seal = |lens: &[Option<usize>]| {
        let values = Values::new(lens);
        let column = values.column();
        let mut sealed = vec![0; key.sealed_column_len(&column).unwrap()];
        let mut ends = vec![0; lens.len() + 1];
        let (out, aad) = (OffsetsMut::Bits32(&mut ends), BatchAad::Common(&[]));
        key.seal_column(ColumnNonces::Random, &column, aad, &mut sealed, out)
    };
    assert_eq!(seal(&[Some(1), None, Some(2), None, Some(3)]), Ok(()));
    assert_eq!(seal(&[Some(1); 3]), Err(Error::UsageBound { messages: 5 }));
    assert_eq!(seal(&[Some(1); 2]), Ok(()));
}
