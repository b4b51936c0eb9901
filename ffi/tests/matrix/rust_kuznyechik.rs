//! Rust's part in the matrix of languages: the block cipher Kuznyechik, CTR and OMAC.

use super::{hex, unhex};
use sivka::{Error, Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm, KuznyechikOmac};

/// Rust's answer to a line about Kuznyechik; `None` for one that is not known.
pub(super) fn answer(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["encrypt-blocks", key, times, blocks] => {
            each_time(times, blocks, |blocks| key_of(key).encrypt_blocks(blocks))
        }
        ["decrypt-blocks", key, times, blocks] => {
            each_time(times, blocks, |blocks| key_of(key).decrypt_blocks(blocks))
        }
        ["ctr", key, iv, section, piece, text] => {
            let (key, iv) = (array(key), array(iv));
            let section_len = section.parse().unwrap();
            let mut text = unhex(text);
            let pieces = text.chunks_mut(piece.parse().unwrap());
            if section_len == 0 {
                let mut ctr = KuznyechikCtr::new(&key, &iv);
                pieces.for_each(|piece| ctr.apply_keystream(piece).unwrap());
            } else {
                let mut ctr = KuznyechikCtrAcpkm::new(&key, &iv, section_len).unwrap();
                pieces.for_each(|piece| ctr.apply_keystream(piece).unwrap());
            }
            hex(&text)
        }
        ["omac", key, tag_len, piece, message] => {
            omac(tag_len.parse().unwrap(), key, piece, message, None)
        }
        ["omac-verify", key, piece, message, tag] => {
            omac(unhex(tag).len(), key, piece, message, Some(&unhex(tag)))
        }
        _ => return None,
    })
}

fn array<const LEN: usize>(digits: &str) -> [u8; LEN] {
    unhex(digits).try_into().unwrap()
}

fn key_of(digits: &str) -> Kuznyechik {
    Kuznyechik::new(&array(digits))
}

fn each_time(
    times: &str,
    blocks: &str,
    mut step: impl FnMut(&mut [[u8; 16]]) -> Result<(), Error>,
) -> String {
    let mut blocks = unhex(blocks);
    let (whole, rest) = blocks.as_chunks_mut();
    assert!(rest.is_empty());
    for _ in 0..times.parse().unwrap() {
        step(whole).unwrap();
    }
    hex(&blocks)
}

fn omac(tag_len: usize, key: &str, piece: &str, message: &str, tag: Option<&[u8]>) -> String {
    macro_rules! of {
        ($($len:literal)*) => {
            match tag_len {
                $($len => run::<$len>(key, piece, message, tag),)*
                _ => panic!("a tag of {tag_len} bytes"),
            }
        };
    }
    of!(4 5 6 7 8 9 10 11 12 13 14 15 16)
}

fn run<const LEN: usize>(key: &str, piece: &str, message: &str, tag: Option<&[u8]>) -> String {
    let mut omac = KuznyechikOmac::<LEN>::new(&array(key));
    let (piece, message) = (piece.parse::<usize>().unwrap(), unhex(message));
    if piece > 0 {
        let mut pieces = message.chunks(piece);
        pieces.try_for_each(|piece| omac.update(piece)).unwrap();
    }
    let Some(tag) = tag else {
        let made = match piece {
            0 => omac.tag(&message),
            _ => omac.finish(),
        };
        return hex(&made.unwrap());
    };
    let tag = tag.try_into().unwrap();
    let verified = match piece {
        0 => omac.verify(&message, tag),
        _ => omac.finish_and_verify(tag),
    };
    match verified {
        Ok(()) => "verified".into(),
        Err(Error::Open) => "forged".into(),
        Err(error) => panic!("{error}"),
    }
}
