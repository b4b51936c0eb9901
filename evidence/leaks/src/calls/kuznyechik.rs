//! The block cipher Kuznyechik and what stands on it beside MGM.

use super::{Call, Of, Watched, assert_forced, watched};
use crate::secret::{Seed, array, publish, used};
use sivka::{Error, Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm, KuznyechikOmac};
use zeroize::Zeroizing;

/// Lengths of pieces in bytes: within a block, over its end, many blocks, nothing.
const PIECES: [&[usize]; 3] = [&[1, 14, 1, 16, 5, 100, 0, 11, 600], &[7], &[2100, 3]];

/// A call with a key, which it makes and ends, and a text.
type Keyed = fn(Zeroizing<Vec<u8>>, &mut [u8]) -> Result<(), Error>;

pub(super) fn add(calls: &mut Vec<Call>) {
    push(calls, "key set-up", true, 0, |key, _| {
        let made = Kuznyechik::new(array(&key));
        drop(key);
        assert_forced(made.tier_name());
        used(&made, true);
        Ok(())
    });
    for count in [1, 2, 4, 5, 12, 13, 40, 64, 100] {
        let brief = matches!(count, 1 | 4 | 5 | 12 | 13 | 40);
        let encrypt: Keyed = |key, text| {
            let key = Kuznyechik::new(array(&key));
            let done = key.encrypt_blocks(text.as_chunks_mut().0);
            used(&key, false);
            done
        };
        let decrypt: Keyed =
            |key, text| Kuznyechik::new(array(&key)).decrypt_blocks(text.as_chunks_mut().0);
        for (verb, call) in [("encrypt", encrypt), ("decrypt", decrypt)] {
            let what = format!("{verb} {count} blocks");
            push(calls, &what, brief, 16 * count, call);
        }
    }
    for pieces in PIECES {
        let len = pieces.iter().sum();
        push(calls, &format!("CTR, pieces of {pieces:?} B"), true, len, |key, text| {
            let mut ctr = KuznyechikCtr::new(array(&key), &[1; 8]);
            in_pieces(pieces, text, |piece| ctr.apply_keystream(piece))
        });
        push(calls, &format!("CTR-ACPKM, pieces of {pieces:?} B"), true, len, |key, text| {
            // Sections of many blocks for pieces of many; each begins with a key schedule,
            // which is soon seen.
            let section_len = if pieces[0] > 1024 { 1024 } else { 64 };
            let mut ctr = KuznyechikCtrAcpkm::new(array(&key), &[1; 8], section_len);
            let ctr = ctr.as_mut().expect("sections of whole blocks");
            in_pieces(pieces, text, |piece| ctr.apply_keystream(piece))
        });
    }
    for len in [0, 1, 16, 100] {
        add_omac(calls, len);
    }
}

const OF: Of = Of::Key("Kuznyechik", 0);

fn push(
    calls: &mut Vec<Call>,
    what: &str,
    brief: bool,
    len: usize,
    call: impl Fn(Zeroizing<Vec<u8>>, &mut [u8]) -> Result<(), Error> + Copy + 'static,
) {
    let prepare = move |seed: Seed| {
        let secrets = seed.secrets();
        let (key, mut text) = (secrets.bytes(32), secrets.bytes(len));
        watched(move || call(key, &mut text), |done| assert!(done.is_ok()))
    };
    calls.push(Call::new(format!("Kuznyechik: {what}"), OF, prepare).brief(brief));
}

fn in_pieces(
    pieces: &[usize],
    mut text: &mut [u8],
    mut apply: impl FnMut(&mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    for len in pieces {
        let (piece, rest) = text.split_at_mut(*len);
        apply(piece)?;
        text = rest;
    }
    Ok(())
}

fn add_omac(calls: &mut Vec<Call>, len: usize) {
    type Omac = KuznyechikOmac<16>;
    push(calls, &format!("OMAC, tag, {len} B"), true, len, |key, text| {
        Omac::new(array(&key)).tag(text).map(drop)
    });
    for (verb, forged) in [("verify", false), ("verify, forged", true)] {
        let prepare = move |seed: Seed| -> Watched {
            let secrets = seed.secrets();
            let (key, text) = (secrets.bytes(32), secrets.bytes(len));
            let mut tag = Omac::new(array(&key)).tag(&text).expect("the tier works");
            publish(&tag);
            tag[seed.place(16)] ^= u8::from(forged);
            let call = move || {
                let mut omac = Omac::new(array(&key));
                let (first, rest) = text.split_at(len / 3);
                let whole = omac.verify(&text, &tag);
                let pieces = omac.update(first).and_then(|()| omac.update(rest));
                [whole, pieces.and_then(|()| omac.finish_and_verify(&tag))]
            };
            watched(call, move |done| {
                assert!(done.iter().all(|done| done.is_err() == forged));
            })
        };
        let name = format!("Kuznyechik: OMAC, {verb}, {len} B");
        calls.push(Call::new(name, OF, prepare));
    }
}
