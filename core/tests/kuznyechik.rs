//! Kuznyechik and its modes on every tier and in every implementation.

use serde_json::Value;
use sivka::{
    BatchAad, BatchText, Error, Implementation, Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm,
    KuznyechikMgm, KuznyechikOmac, Status, Tag, Tier,
};
use sivka_oracle::lengths::painted;
use sivka_oracle::{gost_modes, kuznyechik};

fn file(name: &str) -> Value {
    let path = format!(
        "{}/../vectors/kuznyechik/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vector file")).expect("JSON")
}

fn bytes(value: &Value) -> Vec<u8> {
    sivka_oracle::vectors::hex(value.as_str().expect("a string")).expect("hexadecimal")
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().expect("bytes of this length")
}

/// The key on every tier and in every implementation that has a name.
fn all(key: &[u8; 32]) -> Vec<Kuznyechik> {
    let tiers = Tier::available().map(|tier| Kuznyechik::with_tier(key, tier));
    let named = Implementation::ALL.map(|named| Kuznyechik::with_implementation(key, named));
    tiers.chain(named).collect()
}

fn painted_blocks(count: usize) -> Vec<[u8; 16]> {
    painted(3, 16 * count).as_chunks().0.to_vec()
}

#[test]
fn each_key_says_what_it_runs_on() {
    let names: Vec<_> = all(&[0; 32]).iter().map(Kuznyechik::tier_name).collect();
    let tiers = Tier::available().map(Tier::name);
    let expected: Vec<_> = tiers.chain(["compact", "optimised", "simd"]).collect();
    assert_eq!(names, expected);
}

#[test]
fn rfc7801() {
    let v = file("rfc7801");
    let (plaintext, ciphertext) = (array(&v["plaintext"]), array(&v["ciphertext"]));
    for key in all(&array(&v["key"])) {
        let mut block = plaintext;
        key.encrypt_block(&mut block).unwrap();
        assert_eq!(block, ciphertext, "{key:?}");
        key.decrypt_block(&mut block).unwrap();
        assert_eq!(block, plaintext, "{key:?}");
    }
}

#[test]
fn many_keys_agree_with_the_oracle() {
    for seed in 0..200 {
        let key: [u8; 32] = painted(seed * 7, 32).try_into().unwrap();
        let plaintext: [u8; 16] = painted(seed * 13, 16).try_into().unwrap();
        let ciphertext = kuznyechik::encrypt(&key, &plaintext);
        for cipher in all(&key) {
            let mut block = plaintext;
            cipher.encrypt_block(&mut block).unwrap();
            assert_eq!(block, ciphertext, "{cipher:?}");
            cipher.decrypt_block(&mut block).unwrap();
            assert_eq!(block, plaintext, "{cipher:?}");
        }
    }
}

/// Every number of blocks, so that every tail of every group is met. Blocks before and
/// behind the slice must not change: one library's code for several blocks transformed
/// the first one again and again.
#[test]
fn every_count_of_blocks_up_to_1100() {
    const MOST: usize = 1100;
    let key: [u8; 32] = painted(1, 32).try_into().unwrap();
    let plaintext = painted_blocks(MOST + 2);
    let round_keys = kuznyechik::round_keys(&key);
    let ciphertext: Vec<[u8; 16]> = plaintext
        .iter()
        .map(|block| kuznyechik::encrypt_with(&round_keys, block))
        .collect();
    for cipher in all(&key) {
        let mut blocks = plaintext.clone();
        for count in 0..=MOST {
            let inside = 1..1 + count;
            cipher.encrypt_blocks(&mut blocks[inside.clone()]).unwrap();
            assert_eq!(
                blocks[inside.clone()],
                ciphertext[inside.clone()],
                "{cipher:?}"
            );
            assert_eq!(blocks[0], plaintext[0], "{count} blocks, {cipher:?}");
            assert_eq!(
                blocks[1 + count],
                plaintext[1 + count],
                "{count}, {cipher:?}"
            );
            cipher.decrypt_blocks(&mut blocks[inside]).unwrap();
            assert_eq!(blocks, plaintext, "{count} blocks, {cipher:?}");
        }
    }
}

#[test]
fn chains_of_65536_encryptions() {
    let v = file("chain");
    let times = v["times"].as_u64().unwrap();
    let expected: Vec<[u8; 16]> = v["lanes"].as_array().unwrap().iter().map(array).collect();
    assert_eq!(expected.len(), 32);
    for cipher in all(&array(&v["key"])) {
        // The slowest implementation runs one lane, the others all of them.
        let lanes = if cipher.tier_name() == "compact" {
            1
        } else {
            32
        };
        let mut blocks: Vec<[u8; 16]> = (0..lanes)
            .map(|lane| {
                let mut block = [0; 16];
                block[0] = lane;
                block
            })
            .collect();
        let start = blocks.clone();
        for _ in 0..times {
            cipher.encrypt_blocks(&mut blocks).unwrap();
        }
        assert_eq!(blocks, expected[..blocks.len()], "{cipher:?}");
        for _ in 0..times {
            cipher.decrypt_blocks(&mut blocks).unwrap();
        }
        assert_eq!(blocks, start, "{cipher:?}");
    }
}

#[test]
fn gost_r_34_13() {
    let v = file("gost-r-34.13-2015");
    let key = array(&v["key"]);
    let plaintext = bytes(&v["plaintext"]);
    for cipher in all(&key) {
        let mut blocks = plaintext.as_chunks().0.to_vec();
        cipher.encrypt_blocks(&mut blocks).unwrap();
        assert_eq!(blocks.as_flattened(), bytes(&v["ecb"]), "{cipher:?}");
    }
    for tier in Tier::available() {
        let mut message = plaintext.clone();
        let mut ctr = KuznyechikCtr::with_tier(&key, &array(&v["ctr"]["iv"]), tier);
        ctr.apply_keystream(&mut message).unwrap();
        assert_eq!(message, bytes(&v["ctr"]["ciphertext"]), "{tier}");
        let omac = KuznyechikOmac::with_tier(&key, tier);
        let tag = omac.tag(&plaintext).unwrap();
        assert_eq!(tag, array(&v["omac"]["tag"]), "{tier}");
        let printed = bytes(&v["omac"]["tag_printed_by_the_standard"]);
        assert_eq!(omac.verify(&plaintext, &printed), Ok(()));
    }
}

#[test]
fn ctr_acpkm_of_r_1323565() {
    let v = file("ctr-acpkm");
    let section_len = v["section_len"].as_u64().unwrap();
    for tier in Tier::available() {
        let (key, iv) = (array(&v["key"]), array(&v["iv"]));
        let mut message = bytes(&v["plaintext"]);
        let mut ctr = KuznyechikCtrAcpkm::with_tier(&key, &iv, section_len, tier).unwrap();
        ctr.apply_keystream(&mut message).unwrap();
        assert_eq!(message, bytes(&v["ciphertext"]), "{tier}");
    }
}

#[test]
fn ctr_of_every_length_whole_and_in_pieces() {
    let key: [u8; 32] = painted(5, 32).try_into().unwrap();
    let iv = [0xff; 8];
    let plaintext = painted(9, 2200);
    let expected = gost_modes::ctr(&key, &iv, &plaintext);
    let sections = gost_modes::ctr_acpkm(&key, &iv, 48, &plaintext);
    for tier in Tier::available() {
        for len in 0..=plaintext.len() {
            let mut message = plaintext[..len].to_vec();
            let mut ctr = KuznyechikCtr::with_tier(&key, &iv, tier);
            ctr.apply_keystream(&mut message).unwrap();
            assert_eq!(message, expected[..len], "{tier}");
        }
        for piece_len in (1..70).chain([1023, 1024, 1025]) {
            let mut message = plaintext.clone();
            let mut ctr = KuznyechikCtr::with_tier(&key, &iv, tier);
            for piece in message.chunks_mut(piece_len) {
                ctr.apply_keystream(piece).unwrap();
            }
            assert_eq!(message, expected, "pieces of {piece_len} on {tier}");
            let mut message = plaintext.clone();
            let mut ctr = KuznyechikCtrAcpkm::with_tier(&key, &iv, 48, tier).unwrap();
            for piece in message.chunks_mut(piece_len) {
                ctr.apply_keystream(piece).unwrap();
            }
            assert_eq!(message, sections, "pieces of {piece_len} on {tier}");
        }
    }
}

#[test]
fn a_section_is_a_positive_number_of_blocks() {
    for given in [0, 1, 15, 17, 40] {
        let refused = KuznyechikCtrAcpkm::new(&[0; 32], &[0; 8], given).map(drop);
        assert_eq!(refused, Err(Error::SectionLen { given }));
    }
}

#[test]
fn omac_of_every_length() {
    let key: [u8; 32] = painted(5, 32).try_into().unwrap();
    let message = painted(9, 200);
    for tier in Tier::available() {
        let omac = KuznyechikOmac::with_tier(&key, tier);
        for len in 0..=message.len() {
            let message = &message[..len];
            let tag = gost_modes::omac(&key, message);
            assert_eq!(omac.tag(message), Ok(tag), "{len} bytes on {tier}");
            for tag_len in 0..=16 {
                let expected = if tag_len < 4 {
                    Err(Error::Open)
                } else {
                    Ok(())
                };
                assert_eq!(omac.verify(message, &tag[..tag_len]), expected);
            }
            assert_eq!(
                omac.verify(message, &[&tag[..], &[0]].concat()),
                Err(Error::Open)
            );
            for bit in 0..128 {
                let mut forged = tag;
                forged[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(omac.verify(message, &forged), Err(Error::Open));
            }
        }
    }
}

/// RFC 9058 section 4: the first bit of a nonce is zero, and something must be sealed.
#[test]
fn mgm_refuses_what_the_standard_refuses() {
    for tier in Tier::available() {
        let key = KuznyechikMgm::with_tier(&[3; 32], tier);
        let mut nonce = [0; 16];
        assert_eq!(key.seal_with_nonce(&nonce, b"", b""), Err(Error::Empty));
        assert_eq!(key.seal(b"", b""), Err(Error::Empty));
        assert_eq!(key.open(&[0; 32], b""), Err(Error::Open));
        let sealed = key.seal_with_nonce(&nonce, b"message", b"").unwrap();
        nonce[0] = 0x80;
        assert_eq!(
            key.seal_with_nonce(&nonce, b"message", b""),
            Err(Error::Nonce)
        );
        assert_eq!(key.open_with_nonce(&nonce, &sealed, b""), Err(Error::Open));
        for _ in 0..64 {
            assert!(key.seal(b"message", b"").unwrap()[0] < 0x80);
        }
    }
}

#[test]
fn mgm_batches_draw_nonces_of_127_bits() {
    let key = KuznyechikMgm::new(&[3; 32]);
    let mut nonces = [[0; 16]; 64];
    let (mut tags, mut statuses) = ([Tag::from([0; 16]); 64], [Status::NotOpened; 64]);
    let mut bytes = [0x61; 128];
    let offsets: [usize; 65] = core::array::from_fn(|i| 2 * i);
    let text = BatchText::Contiguous {
        bytes: &mut bytes,
        offsets: &offsets,
    };
    let aad = BatchAad::Common(b"aad");
    key.seal_batch_with_random_nonces(&mut nonces, aad, text, &mut tags, &mut statuses)
        .unwrap();
    assert!(nonces.iter().all(|nonce| nonce[0] < 0x80));
    // Every other bit is drawn: none of the seven is clear 64 times, but once in 2^61 runs.
    let seen = nonces.iter().fold(0, |seen, nonce| seen | nonce[0]);
    assert_eq!(seen, 0x7f);
    for (i, text) in bytes.chunks_exact_mut(2).enumerate() {
        assert!(nonces[..i].iter().all(|nonce| *nonce != nonces[i]));
        let opened = key.open_in_place(&nonces[i], b"aad", text, &tags[i]);
        assert_eq!((opened, &*text), (Ok(()), &b"aa"[..]));
    }
}

/// A batch of every mix of lengths gives the bytes of one message at a time, and a message
/// that cannot be sealed or does not open hides none of the others.
#[test]
fn mgm_batches() {
    for tier in Tier::available() {
        let key = KuznyechikMgm::with_tier(&[3; 32], tier);
        for count in [0, 1, 2, 15, 16, 17, 33, 100] {
            let lens: Vec<usize> = (0..count).map(|i| i * 37 % 211 + i / 50 * 1000).collect();
            let mut nonces: Vec<[u8; 16]> = (0..count).map(|i| [i as u8; 16]).collect();
            let aads: Vec<Vec<u8>> = (0..count).map(|i| painted(i, i * 13 % 61)).collect();
            let plain: Vec<Vec<u8>> = lens.iter().map(|len| painted(*len, *len)).collect();
            if count > 10 {
                nonces[7][0] |= 0x80;
            }
            let expected: Vec<_> = (0..count)
                .map(|i| key.seal_with_nonce(&nonces[i], &plain[i], &aads[i]))
                .collect();

            let aads: Vec<&[u8]> = aads.iter().map(Vec::as_slice).collect();
            let mut texts = plain.clone();
            let mut tags = vec![Tag::from([0; 16]); count];
            let mut statuses = vec![Status::NotOpened; count];
            let mut slices: Vec<&mut [u8]> = texts.iter_mut().map(Vec::as_mut_slice).collect();
            let (aad, text) = (BatchAad::Slices(&aads), BatchText::Slices(&mut slices));
            let verdict = key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses);
            let failed = expected.iter().filter(|one| one.is_err()).count();
            assert_eq!(verdict.is_err(), failed > 0, "{verdict:?}");
            for i in 0..count {
                let what = format!("message {i} of {count} on {tier}");
                match &expected[i] {
                    Ok(sealed) => {
                        assert_eq!(statuses[i], Status::Done, "{what}");
                        assert_eq!(
                            [&texts[i][..], tags[i].as_bytes()].concat(),
                            *sealed,
                            "{what}"
                        );
                    }
                    Err(_) => {
                        assert_eq!(statuses[i], Status::Refused, "{what}");
                        assert_eq!(texts[i], plain[i], "{what}: written to in spite of misuse");
                    }
                }
            }

            let forged = |i: usize| i % 5 == 1;
            for i in (0..count).filter(|i| forged(*i)) {
                let mut bytes = <[u8; 16]>::from(tags[i]);
                bytes[i % 16] ^= 1;
                tags[i] = Tag::from(bytes);
            }
            let mut slices: Vec<&mut [u8]> = texts.iter_mut().map(Vec::as_mut_slice).collect();
            let text = BatchText::Slices(&mut slices);
            let verdict = key.open_batch(&nonces, aad, text, &tags, &mut statuses);
            assert_eq!(
                verdict.is_err(),
                statuses.iter().any(|status| *status != Status::Done)
            );
            for i in 0..count {
                if forged(i) || expected[i].is_err() {
                    assert_eq!(statuses[i], Status::NotOpened, "message {i}");
                    assert!(texts[i].iter().all(|byte| *byte == 0), "not wiped");
                } else {
                    assert_eq!(
                        statuses[i],
                        Status::Done,
                        "message {i} of {count} on {tier}"
                    );
                    assert_eq!(texts[i], plain[i]);
                }
            }
        }
    }
}
