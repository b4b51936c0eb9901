//! Kuznyechik and its modes on every tier.

use serde_json::Value;
use sivka::{
    BatchAad, BatchText, Error, Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm, KuznyechikMgm,
    KuznyechikOmac, Status, Tier,
};
use sivka_oracle::lengths::painted;
use sivka_oracle::{gost_modes, kuznyechik};

fn file(name: &str) -> Value {
    let path = format!("{}/../vectors/kuznyechik/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vector file")).expect("JSON")
}

fn bytes(value: &Value) -> Vec<u8> {
    sivka_oracle::vectors::hex(value.as_str().expect("a string")).expect("hexadecimal")
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().expect("bytes of this length")
}

/// The key on every tier.
fn all(key: &[u8; 32]) -> Vec<Kuznyechik> {
    Tier::available().map(|tier| Kuznyechik::with_tier(key, tier)).collect()
}

#[test]
fn each_key_says_what_it_runs_on() {
    let keys = all(&[0; 32]);
    assert!(keys.iter().map(Kuznyechik::tier_name).eq(Tier::available().map(Tier::name)));
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

/// Every number of blocks, so that every tail of every group is met. Blocks before and
/// after the slice must not change: one library's code for several blocks transformed
/// the first one again and again.
#[test]
fn every_count_of_blocks_up_to_1100() {
    const MOST: usize = 1100;
    let key: [u8; 32] = painted(1, 32).try_into().unwrap();
    let plaintext = painted(3, 16 * (MOST + 2)).as_chunks().0.to_vec();
    let round_keys = kuznyechik::round_keys(&key);
    let ciphertext: Vec<[u8; 16]> =
        plaintext.iter().map(|block| kuznyechik::encrypt_with(&round_keys, block)).collect();
    for cipher in all(&key) {
        let mut blocks = plaintext.clone();
        for count in 0..=MOST {
            let inside = 1..1 + count;
            cipher.encrypt_blocks(&mut blocks[inside.clone()]).unwrap();
            assert_eq!(blocks[inside.clone()], ciphertext[inside.clone()], "{cipher:?}");
            assert_eq!(blocks[0], plaintext[0], "{count} blocks, {cipher:?}");
            assert_eq!(blocks[1 + count], plaintext[1 + count], "{count}, {cipher:?}");
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
    for cipher in all(&array(&v["key"])) {
        let start: [_; 32] = std::array::from_fn(|lane| (lane as u128).to_le_bytes());
        let mut blocks = start;
        for _ in 0..times {
            cipher.encrypt_blocks(&mut blocks).unwrap();
        }
        assert_eq!(blocks[..], expected, "{cipher:?}");
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
        let tag = KuznyechikOmac::<16>::with_tier(&key, tier).tag(&plaintext);
        assert_eq!(tag, Ok(array(&v["omac"]["tag"])), "{tier}");
        let tag = KuznyechikOmac::<8>::with_tier(&key, tier).tag(&plaintext);
        let printed = array(&v["omac"]["tag_printed_by_the_standard"]);
        assert_eq!(tag, Ok(printed), "{tier}");
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
            let mut messages = [plaintext.clone(), plaintext.clone()];
            let [message, of_sections] = messages.each_mut().map(|m| m.chunks_mut(piece_len));
            let mut ctr = KuznyechikCtr::with_tier(&key, &iv, tier);
            let mut acpkm = KuznyechikCtrAcpkm::with_tier(&key, &iv, 48, tier).unwrap();
            for (piece, of_sections) in message.zip(of_sections) {
                ctr.apply_keystream(piece).unwrap();
                acpkm.apply_keystream(of_sections).unwrap();
            }
            assert!(messages == [&*expected, &*sections], "pieces of {piece_len} on {tier}");
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

/// Messages of every length under keys with tags of `TAG_LEN` bytes, whole and in pieces.
fn omac_of_every_length_with<const TAG_LEN: usize>() {
    let key: [u8; 32] = painted(5, 32).try_into().expect("32 bytes");
    let message = painted(9, 70);
    for tier in Tier::available() {
        let mut omac = KuznyechikOmac::<TAG_LEN>::with_tier(&key, tier);
        for len in 0..=message.len() {
            let message = &message[..len];
            let tag = gost_modes::omac(&key, message);
            let tag: [u8; TAG_LEN] = std::array::from_fn(|at| tag[at]);
            assert_eq!(omac.tag(message), Ok(tag), "{len} bytes on {tier}");
            assert_eq!(omac.verify(message, &tag), Ok(()));
            for bit in 0..8 * TAG_LEN {
                let mut forged = tag;
                forged[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(omac.verify(message, &forged), Err(Error::Open));
            }
            for piece_len in 1..40 {
                for piece in message.chunks(piece_len) {
                    assert_eq!(omac.update(piece), Ok(()));
                    assert_eq!(omac.update(b""), Ok(()));
                }
                let pieces = format!("{len} bytes in pieces of {piece_len} on {tier}");
                assert_eq!(omac.finish(), Ok(tag), "{pieces}");
            }
        }
    }
}

#[test]
fn omac_of_every_length() {
    omac_of_every_length_with::<4>();
    omac_of_every_length_with::<5>();
    omac_of_every_length_with::<8>();
    omac_of_every_length_with::<15>();
    omac_of_every_length_with::<16>();
}

#[test]
fn omac_of_pieces_ends_with_its_tag() {
    for tier in Tier::available() {
        let mut omac = KuznyechikOmac::<4>::with_tier(&[7; 32], tier);
        let [tag, other] = [&b"message"[..], b""].map(|message| omac.tag(message).unwrap());
        omac.update(b"mess").unwrap();
        // A whole message in between is another one.
        assert_eq!(omac.verify(b"message", &tag), Ok(()));
        omac.update(b"age").unwrap();
        assert_eq!(omac.finish_and_verify(&tag), Ok(()));
        // The next message starts with nothing, after a forgery too.
        assert_eq!(omac.finish_and_verify(&tag), Err(Error::Open));
        assert_eq!(omac.finish(), Ok(other));
    }
}

/// MGM works on 64 blocks at a time, one for each of AAD and two for each of text: lengths
/// that leave room for the block of the lengths, and that leave none.
#[test]
fn mgm_of_whole_groups() {
    let key: [u8; 32] = painted(5, 32).try_into().unwrap();
    let (aad, text) = (painted(6, 16 * 130), painted(7, 16 * 66));
    for blocks in [63, 64, 65, 128] {
        for text_blocks in 0..=blocks / 2 {
            let aad_blocks: usize = blocks - 2 * text_blocks;
            // The last blocks are whole, or hold one byte.
            let cut = 15 * (text_blocks / 2 % 2);
            let aad = &aad[..(16 * aad_blocks).saturating_sub(cut)];
            let text = &text[..(16 * text_blocks).saturating_sub(cut)];
            let nonce = [9; 16];
            let Some(expected) = sivka_oracle::mgm::seal(&key, &nonce, aad, text) else {
                continue; // Of no byte.
            };
            for tier in Tier::available() {
                let key = KuznyechikMgm::with_tier(&key, tier);
                let sealed = key.seal_with_nonce(&nonce, text, aad).unwrap();
                assert!(sealed == expected, "{tier}, {aad_blocks}, {text_blocks}");
                let opened = key.open_with_nonce(&nonce, &sealed, aad).unwrap();
                assert!(opened == text, "{tier}, {aad_blocks}, {text_blocks}");
            }
        }
    }
}

/// RFC 9058 section 4: the first bit of a nonce is zero, and something must be sealed. In a batch
/// nothing is written for a message that is refused, nor does one open whose tag would be right.
#[test]
fn mgm_refuses_what_the_standard_refuses() {
    let raw: [u8; 32] = painted(5, 32).try_into().unwrap();
    let mut of_nothing = [0; 16];
    Kuznyechik::new(&raw).encrypt_block(&mut of_nothing).unwrap();
    let offsets = [0, 7, 14, 14, 21];
    for tier in Tier::available() {
        let key = KuznyechikMgm::with_tier(&raw, tier);
        assert_eq!(key.seal(b"", b""), Err(Error::Empty));
        assert_eq!(key.open(&[0; 32], b""), Err(Error::Open));
        let sealed = key.seal_with_nonce(&[1; 16], b"message", b"").unwrap();
        assert_eq!(key.seal_with_nonce(&[0x81; 16], b"message", b""), Err(Error::Nonce));
        assert_eq!(key.open_with_nonce(&[0x81; 16], &sealed, b""), Err(Error::Open));

        let mut nonces = [[1; 16], [0x81; 16], [2; 16], [3; 16]];
        let mut texts = *b"message-message-message";
        let mut tags = [[5; 16]; 4];
        let mut statuses = [Status::Done; 4];
        let aad = BatchAad::Common(b"");
        let in_out = BatchText::Contiguous { bytes: &mut texts[..21], offsets: &offsets };
        let sealed = key.seal_batch(
            nonces.as_flattened(),
            aad,
            in_out,
            tags.as_flattened_mut(),
            &mut statuses,
        );
        assert_eq!(sealed, Err(Error::Batch { failed: 2 }), "{tier}");
        assert_eq!(statuses[1..3], [Status::Refused; 2], "{tier}");
        assert_eq!(&texts[7..14], b"-messag", "{tier}");
        assert_eq!(tags[1..3], [[5; 16]; 2]);

        // The second message is the first one but for the first bit of its nonce, the third
        // has the tag that MGM gives to nothing.
        nonces[1] = nonces[0];
        nonces[1][0] |= 0x80;
        texts.copy_within(..7, 7);
        tags[1] = tags[0];
        tags[2] = of_nothing;
        let in_out = BatchText::Contiguous { bytes: &mut texts[..21], offsets: &offsets };
        let opened =
            key.open_batch(nonces.as_flattened(), aad, in_out, tags.as_flattened(), &mut statuses);
        assert_eq!(opened, Err(Error::Batch { failed: 2 }), "{tier}");
        assert_eq!(statuses[1..3], [Status::NotOpened; 2], "{tier}");
        assert_eq!(&texts[..14], b"message\0\0\0\0\0\0\0", "{tier}");
    }
}

/// RustCrypto's traits, through every call that they have.
#[cfg(feature = "cipher")]
#[test]
fn cipher_traits() {
    use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};

    fn encrypted<C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt>(count: usize) -> Vec<u8> {
        let key = C::new_from_slice(&[0x5a; 32]).unwrap();
        let plaintext: Vec<_> =
            (0..count).map(|i| Block::<C>::from_fn(|j| (i * 7 + j) as u8)).collect();
        let mut blocks = plaintext.clone();
        key.encrypt_blocks(&mut blocks);
        let mut apart = plaintext.clone();
        key.encrypt_blocks_b2b(&plaintext, &mut apart).unwrap();
        assert_eq!(apart, blocks);
        key.decrypt_blocks(&mut blocks);
        assert_eq!(blocks, plaintext);
        blocks.iter_mut().for_each(|block| key.encrypt_block(block));
        assert_eq!(blocks, apart);
        blocks.iter_mut().for_each(|block| key.decrypt_block(block));
        assert_eq!(blocks, plaintext);
        apart.concat()
    }
    for count in [0, 1, 2, 63, 64, 65, 200] {
        let block = |i: usize| std::array::from_fn(|j| (i * 7 + j) as u8);
        let mut blocks: Vec<[u8; 16]> = (0..count).map(block).collect();
        Kuznyechik::new(&[0x5a; 32]).encrypt_blocks(&mut blocks).unwrap();
        assert_eq!(encrypted::<Kuznyechik>(count), blocks.as_flattened());
    }
}
