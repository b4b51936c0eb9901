//! No secret decides a branch or an address, as valgrind sees it.
//!
//! Keys and plaintexts are marked as undefined memory; memcheck then reports every
//! conditional jump and every address that depends on them. What an attacker sees
//! anyway (ciphertext, tag, the verdict of opening) is marked as known again. Run by
//! `cargo xtask ctgrind`; outside valgrind these tests only show that the calls work.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Error, Implementation, Kuznyechik, KuznyechikCtr,
    KuznyechikCtrAcpkm, KuznyechikOmac, Status, mark_public, mark_secret,
};

/// Lengths that reach every path of the kernels.
const LENGTHS: [usize; 13] = [0, 1, 15, 16, 17, 48, 64, 100, 128, 129, 600, 2100, 20_000];

fn seal_and_open(key: &dyn Aead) {
    let nonce = vec![1; key.algorithm().nonce_len()];
    let mut tag = vec![0; key.algorithm().tag_len()];
    for len in LENGTHS {
        let mut message = vec![7; len];
        mark_secret(message.as_slice());
        key.seal_in_place(&nonce, b"aad", &mut message, &mut tag)
            .unwrap();
        mark_public(message.as_slice());
        mark_public(tag.as_slice());
        let sealed = message.clone();

        key.open_in_place(&nonce, b"aad", &mut message, &tag)
            .unwrap();
        let (mut apart, mut made) = (vec![0; len], vec![0; tag.len()]);
        key.seal_into(&nonce, &message, b"aad", &mut apart, &mut made)
            .unwrap();
        mark_public(apart.as_slice());
        mark_public(made.as_slice());
        assert_eq!((&apart, &made), (&sealed, &tag));
        key.open_into(&nonce, &sealed, b"aad", &tag, &mut message)
            .unwrap();
        mark_public(message.as_slice());
        assert!(message.iter().all(|byte| *byte == 7));

        let mut forged = sealed;
        made.fill(0);
        let opened = key.open_in_place(&nonce, b"aad", &mut forged, &made);
        assert_eq!(opened, Err(Error::Open));
        assert!(forged.iter().all(|byte| *byte == 0));
    }
}

/// A batch with one forgery, whose texts end at these offsets.
fn batch(key: &dyn Aead, end: impl Fn(usize) -> usize) {
    const COUNT: usize = 19;
    let (nonce_len, tag_len) = (key.algorithm().nonce_len(), key.algorithm().tag_len());
    let nonces: Vec<u8> = (0..COUNT).flat_map(|i| vec![i as u8; nonce_len]).collect();
    let offsets: [usize; COUNT + 1] = core::array::from_fn(end);
    let mut bytes = vec![7; offsets[COUNT]];
    let mut tags = vec![0; COUNT * tag_len];
    let mut statuses = [Status::Done; COUNT];
    mark_secret(bytes.as_slice());
    let text = BatchText::Contiguous {
        bytes: &mut bytes,
        offsets: &offsets,
    };
    let aad = BatchAad::Common(b"aad");
    key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses)
        .unwrap();
    mark_public(bytes.as_slice());
    mark_public(tags.as_slice());

    tags.copy_within(4 * tag_len..5 * tag_len, 3 * tag_len);
    let text = BatchText::Contiguous {
        bytes: &mut bytes,
        offsets: &offsets,
    };
    let opened = key.open_batch(&nonces, aad, text, &tags, &mut statuses);
    assert_eq!(opened, Err(Error::Batch { failed: 1 }));
    mark_public(bytes.as_slice());
    assert!(bytes[..offsets[3]].iter().all(|byte| *byte == 7));
    assert!(bytes[offsets[3]..offsets[4]].iter().all(|byte| *byte == 0));
    assert!(bytes[offsets[4]..].iter().all(|byte| *byte == 7));
}

/// What is judged is the tier that was asked for, not one that was taken instead.
fn runs_on_the_forced_tier(name: &str) {
    if let Ok(forced) = std::env::var("SIVKA_TIER") {
        assert_eq!(name, forced);
    }
}

#[test]
fn every_algorithm() {
    for algorithm in Algorithm::all() {
        let bytes = vec![0x5a; algorithm.key_len()];
        mark_secret(bytes.as_slice());
        let key = algorithm.new_key(&bytes).unwrap();
        runs_on_the_forced_tier(key.tier_name());
        seal_and_open(&*key);
        batch(&*key, |i| i * (i + 20));
        // Messages of one length go another way than those of many.
        for len in [16, 72] {
            batch(&*key, |i| i * len);
        }
    }
}

#[test]
fn kuznyechik_and_its_modes() {
    let bytes = [0x5a; 32];
    mark_secret(&bytes);
    let key = Kuznyechik::new(&bytes);
    let mut omac = KuznyechikOmac::<16>::new(&bytes);
    for count in [1, 2, 5, 13, 40, 64, 100] {
        let mut blocks = vec![[7; 16]; count];
        mark_secret(blocks.as_slice());
        key.encrypt_blocks(&mut blocks).unwrap();
        key.decrypt_blocks(&mut blocks).unwrap();
        mark_public(blocks.as_slice());
        assert!(blocks.as_flattened().iter().all(|byte| *byte == 7));
    }
    for len in LENGTHS {
        let mut message = vec![7; len];
        mark_secret(message.as_slice());
        let mut ctr = KuznyechikCtr::new(&bytes, &[1; 8]);
        ctr.apply_keystream(&mut message).unwrap();
        let mut acpkm = KuznyechikCtrAcpkm::new(&bytes, &[1; 8], 64).unwrap();
        acpkm.apply_keystream(&mut message).unwrap();
        let tag = omac.tag(&message).unwrap();
        mark_public(&tag);
        assert_eq!(omac.verify(&message, &tag), Ok(()));
        assert_eq!(omac.verify(&message, &[0; 16]), Err(Error::Open));
        omac.update(&message).unwrap();
        assert_eq!(omac.finish_and_verify(&[0; 16]), Err(Error::Open));
    }
    // Named as constant-time, though no tier uses it.
    let compact = Kuznyechik::with_implementation(&bytes, Implementation::Compact);
    let mut block = [7; 16];
    mark_secret(&block);
    compact.encrypt_block(&mut block).unwrap();
    compact.decrypt_block(&mut block).unwrap();
}

/// The control: valgrind has to report this one.
#[test]
#[ignore = "branches on a secret on purpose; `cargo xtask ctgrind` wants it reported"]
fn control_branch_on_a_secret() {
    let secret = [3_u8; 1];
    mark_secret(&secret);
    // A vector's growth is a branch that no compiler turns into arithmetic.
    let mut seen = Vec::new();
    if std::hint::black_box(&secret)[0] > 2 {
        seen.push("large");
    }
    std::hint::black_box(seen);
}
