//! The block cipher Kuznyechik and what stands on it beside MGM.

use super::{Call, assert_forced, watched};
use crate::secret::publish;
use sivka::{Error, Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm, KuznyechikOmac};

/// Lengths of pieces in bytes: within a block, over its end, many blocks, nothing.
const PIECES: [&[usize]; 3] = [&[1, 14, 1, 16, 5, 100, 0, 11, 600], &[7], &[2100, 3]];

pub(super) fn add(calls: &mut Vec<Call>) {
    calls.push(Call::new("Kuznyechik: key set-up".to_owned(), |seed| {
        let key = seed.secrets().array();
        watched(
            move || Kuznyechik::new(&key),
            |key| assert_forced(key.tier_name()),
        )
    }));
    for count in [1, 2, 4, 5, 12, 13, 40, 64, 100] {
        add_blocks(calls, count);
    }
    for pieces in PIECES {
        add_pieces(calls, pieces);
    }
    for len in [0, 1, 16, 100] {
        add_omac(calls, len);
    }
}

fn add_blocks(calls: &mut Vec<Call>, count: usize) {
    let brief = matches!(count, 1 | 4 | 5 | 12 | 13 | 40);
    calls.push(
        Call::new(format!("Kuznyechik: encrypt {count} blocks"), move |seed| {
            let secrets = seed.secrets();
            let (key, mut blocks) = (Kuznyechik::new(&secrets.array()), secrets.blocks(count));
            let call = move || key.encrypt_blocks(&mut blocks).map(|()| blocks);
            watched(call, |done| assert!(done.is_ok()))
        })
        .brief(brief),
    );
    calls.push(
        Call::new(format!("Kuznyechik: decrypt {count} blocks"), move |seed| {
            let secrets = seed.secrets();
            let (key, mut blocks) = (Kuznyechik::new(&secrets.array()), secrets.blocks(count));
            let call = move || key.decrypt_blocks(&mut blocks).map(|()| blocks);
            watched(call, |done| assert!(done.is_ok()))
        })
        .brief(brief),
    );
}

fn add_pieces(calls: &mut Vec<Call>, pieces: &'static [usize]) {
    calls.push(Call::new(
        format!("Kuznyechik-CTR: pieces of {pieces:?} B"),
        move |seed| {
            let secrets = seed.secrets();
            let (key, mut text) = (secrets.array(), secrets.bytes(pieces.iter().sum()));
            let call = move || {
                let mut ctr = KuznyechikCtr::new(&key, &[1; 8]);
                in_pieces(pieces, &mut text, |piece| ctr.apply_keystream(piece))
            };
            watched(call, |done| assert!(done.is_ok()))
        },
    ));
    // Sections of many blocks for pieces of many; each begins with a key schedule, which is
    // soon seen.
    let section_len = if pieces[0] > 1024 { 1024 } else { 64 };
    calls.push(Call::new(
        format!("Kuznyechik-CTR-ACPKM: pieces of {pieces:?} B"),
        move |seed| {
            let secrets = seed.secrets();
            let (key, mut text) = (secrets.array(), secrets.bytes(pieces.iter().sum()));
            let call = move || {
                let mut ctr = KuznyechikCtrAcpkm::new(&key, &[1; 8], section_len)?;
                in_pieces(pieces, &mut text, |piece| ctr.apply_keystream(piece))
            };
            watched(call, |done| assert!(done.is_ok()))
        },
    ));
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
    calls.push(Call::new(
        format!("Kuznyechik-OMAC: tag, {len} B"),
        move |seed| {
            let secrets = seed.secrets();
            let (key, text) = (secrets.array(), secrets.bytes(len));
            watched(
                move || KuznyechikOmac::<16>::new(&key).tag(&text),
                |tag| assert!(tag.is_ok()),
            )
        },
    ));
    for forged in [false, true] {
        let what = if forged { "verify, forged" } else { "verify" };
        calls.push(Call::new(
            format!("Kuznyechik-OMAC: {what}, {len} B"),
            move |seed| {
                let secrets = seed.secrets();
                let (key, text) = (
                    KuznyechikOmac::<16>::new(&secrets.array()),
                    secrets.bytes(len),
                );
                let mut tag = key.tag(&text).expect("the tier works");
                publish(&tag);
                tag[seed.place(16)] ^= u8::from(forged);
                watched(
                    move || key.verify(&text, &tag),
                    move |done| assert_eq!(done.is_err(), forged),
                )
            },
        ));
    }
    calls.push(Call::new(
        format!("Kuznyechik-OMAC: verify in two pieces, forged, {len} B"),
        move |seed| {
            let secrets = seed.secrets();
            let (mut omac, text) = (
                KuznyechikOmac::<16>::new(&secrets.array()),
                secrets.bytes(len),
            );
            let call = move || {
                let (first, rest) = text.split_at(len / 3);
                omac.update(first)?;
                omac.update(rest)?;
                omac.finish_and_verify(&[0; 16])
            };
            watched(call, |done| assert_eq!(done, Err(Error::Open)))
        },
    ));
}
