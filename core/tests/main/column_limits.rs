//! Columns at their limits: AADs over theirs, and bounds of which nothing is taken.

#![cfg_attr(
    not(target_pointer_width = "64"),
    allow(dead_code, unused_imports, reason = "no memory holds too long an AAD")
)]

use crate::column::{column, open, seal};
use sivka::{
    Aead, Algorithm, BatchAad, Column, ColumnNonces, Error, OffsetsMut, Status, Tier, UsageBound,
    Validity,
};

/// A row whose AAD is over the limit is of no bytes; all others open.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_row_with_too_long_an_aad_leaves_nothing() {
    // One byte more than these AADs may have. Nobody reads it: it takes no memory.
    let too_long = vec![0; 1 << 31];
    let mut seen = 0;
    for algorithm in Algorithm::all() {
        if !algorithm.name().contains("BLAKE2b") {
            continue; // Their limits are beyond any memory.
        }
        for tier in Tier::available() {
            let key = algorithm.new_key_with_tier(&[7; 32], tier).unwrap();
            seen += 1;
            for count in [1, 3, 40, 2100] {
                open_under(&*key, count, |i| i == count / 2, &too_long);
                open_under(&*key, count, |i| i % 5 == 0 || i == 2099, &too_long);
                open_under(&*key, count, |_| true, &too_long);
            }
        }
    }
    assert!(seen > 0);
}

/// Seals `count` values and opens them under their AADs, but for those that `is_wrong` names:
/// these under `too_long`, in every form that AADs have.
fn open_under(key: &dyn Aead, count: usize, is_wrong: impl Fn(usize) -> bool, too_long: &[u8]) {
    let value = |i: usize| vec![(i as u8).wrapping_add(1); 5 + i % 3];
    let nonce_len = key.algorithm().nonce_len();
    let (mut rows, mut bounds) = (Vec::new(), vec![0]);
    for i in 0..count {
        let nonce = vec![i as u8; nonce_len];
        rows.extend_from_slice(&nonce);
        rows.extend(key.seal_with_nonce(&nonce, &value(i), b"").unwrap());
        bounds.push(rows.len() as i64);
    }
    let aads: Vec<&[u8]> = (0..count).map(|i| if is_wrong(i) { too_long } else { b"" }).collect();
    let mut forms = vec![BatchAad::Slices(&aads)];
    // In one buffer, only one of them can be so long.
    let wrong: Vec<_> = (0..count).filter(|i| is_wrong(*i)).collect();
    let ends = |i: usize| {
        if wrong.first() < Some(&i) { too_long.len() } else { 0 }
    };
    let offsets: Vec<_> = (0..=count).map(ends).collect();
    if wrong.len() == 1 {
        forms.push(BatchAad::Contiguous { bytes: too_long, offsets: &offsets });
    }
    if wrong.len() == count {
        forms.push(BatchAad::Common(too_long));
    }
    for aad in forms {
        let opened = open(key, &column(&rows, &bounds), aad);
        assert!(matches!(opened.verdict, Err(Error::Batch { .. })), "{:?}", opened.verdict);
        for i in 0..count {
            let bytes = &opened.values[opened.ends[i] as usize..opened.ends[i + 1] as usize];
            if is_wrong(i) {
                assert_eq!((opened.statuses[i], bytes), (Status::TooLong, &[][..]));
            } else {
                assert_eq!((opened.statuses[i], bytes), (Status::Done, &value(i)[..]));
            }
        }
        let rest = &opened.values[opened.ends[count] as usize..];
        assert!(rest.iter().all(|byte| *byte == 0));
    }
}

fn bounded(bound: UsageBound) -> Box<dyn Aead> {
    let mut key = Algorithm::find("AES-256-GCM-SIV").unwrap().new_key(&[7; 32]).unwrap();
    key.set_usage_bound(bound);
    key
}

/// A column that seals nothing takes nothing out of a bound, and no bound refuses it.
#[test]
fn a_bound_does_not_keep_from_sealing_nothing() {
    let key = bounded(UsageBound::new(3, 10));
    let seal = |ends: &[i64], bitmap: &[u8], aad: BatchAad<'_>| {
        let validity = Some(Validity { bitmap, first_bit: 0 });
        let column = Column { validity, ..column(&[1; 32], ends) };
        seal(&*key, ColumnNonces::Random, &column, aad).map(drop)
    };
    let long: &[u8] = b"longer than the bound allows";
    for aad in [BatchAad::Common(long), BatchAad::Slices(&[long; 3])] {
        assert_eq!(seal(&[0, 8, 16, 32], &[0], aad), Ok(()));
        let refused = seal(&[0, 8, 16, 32], &[4], aad);
        assert!(matches!(refused, Err(Error::TooLong { .. })), "{refused:?}");
    }
    assert_eq!(seal(&[0], &[], BatchAad::Common(long)), Ok(()));
    // The bound is still whole, and counts the values that are there; then it is spent, which
    // nothing needs.
    let aad = BatchAad::Common(b"");
    let spent = Err(Error::UsageBound { messages: 3 });
    for (bitmap, expected) in [(5, Ok(())), (5, spent), (1, Ok(())), (1, spent)] {
        assert_eq!(seal(&[0, 8, 10, 18], &[bitmap], aad), expected);
    }
    assert_eq!(seal(&[0, 8, 16, 32], &[0], aad), Ok(()));
}

/// No row may be longer than the bound of the key allows, wherever it is.
#[test]
fn a_bound_holds_for_the_longest_row() {
    let key = bounded(UsageBound::new(100, 10));
    for (ends, is_allowed) in [
        ([0, 11, 12, 13], false),
        ([0, 1, 12, 13], false),
        ([0, 1, 2, 13], false),
        ([0, 10, 11, 21], true),
    ] {
        for aad in [BatchAad::Common(b""), BatchAad::Slices(&[&b""[..]; 3])] {
            let sealed = seal(&*key, ColumnNonces::Random, &column(&[1; 21], &ends), aad);
            assert_eq!(sealed.is_ok(), is_allowed, "{ends:?}: {sealed:?}");
        }
    }
}

/// Offsets of 32 bits count no more than 2^31 - 1 bytes.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_column_beyond_its_offsets_is_refused() {
    let key = Algorithm::find("AES-256-GCM-SIV").unwrap().new_key(&[7; 32]).unwrap();
    // Nobody reads or writes these: they take no memory.
    let values = vec![0; (1 << 31) - 28];
    let mut sealed = vec![0; 1 << 31];
    let column = column(&values, &[0, (1 << 31) - 28]);
    let mut ends = [7_i32; 2];
    let (out, aad) = (OffsetsMut::Bits32(&mut ends), BatchAad::Common(b""));
    let refused = key.seal_column(ColumnNonces::Random, &column, aad, &mut sealed, out);
    let expected = Error::TooLong { what: "column", limit: (1 << 31) - 1, given: 1 << 31 };
    assert_eq!((refused, ends), (Err(expected), [7; 2]));
}

/// The bytes of a null are in a page that nobody can read: a read of them ends the process. The
/// nonces of nulls were read.
#[test]
#[cfg(unix)]
fn no_byte_of_a_null_is_read() {
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
    // SAFETY: a new mapping, at a place that the system chooses.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), 3 * page, access, kind, -1, 0) };
    assert_ne!(start, libc::MAP_FAILED);
    // SAFETY: so many bytes of the mapping, which is there until the process ends. Between the
    // calls of `protect` none of the second page is looked at.
    let bytes = unsafe { std::slice::from_raw_parts_mut(start.cast::<u8>(), 3 * page) };
    let protect = |access| {
        // SAFETY: the second page of the mapping.
        let done = unsafe { libc::mprotect(start.byte_add(page), page, access) };
        assert_eq!(done, 0);
    };
    for algorithm in Algorithm::all() {
        for tier in Tier::available() {
            let key = algorithm.new_key_with_tier(&vec![7; algorithm.key_len()], tier);
            let key = key.unwrap();
            let nonce = vec![1; algorithm.nonce_len()];
            let sealed = key.seal_with_nonce(&nonce, b"a value", b"").unwrap();
            let row = [&nonce[..], &sealed].concat();
            for value in [&b"a value"[..], &row] {
                bytes[page - value.len()..page].copy_from_slice(value);
                bytes[2 * page..][..value.len()].copy_from_slice(value);
                let ends = [page - value.len(), page, 2 * page, 2 * page + value.len()];
                let ends = ends.map(|end| end as i64);
                let validity = Some(Validity { bitmap: &[0b101], first_bit: 0 });
                let (column, aad) =
                    (Column { validity, ..column(bytes, &ends) }, BatchAad::Common(b""));
                protect(libc::PROT_NONE);
                if value == row {
                    let opened = open(&*key, &column, aad);
                    assert_eq!(
                        (opened.verdict, &opened.values[..]),
                        (Ok(()), &b"a valuea value"[..])
                    );
                } else {
                    let nonces = nonce.repeat(3);
                    let sealed = seal(&*key, ColumnNonces::Given(&nonces), &column, aad);
                    assert_eq!(sealed.unwrap().0, row.repeat(2));
                }
                protect(access);
            }
        }
    }
}
