//! Kuznyechik against RustCrypto's, over random keys and lengths.

use kuznyechik::cipher::array::Array;
use kuznyechik::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use kuznyechik_of_mgm::Kuznyechik as KuznyechikOfMgm;
use mgm::Mgm;
use mgm::aead::{AeadInPlace, KeyInit as _};
use proptest::prelude::*;
use sivka::{Kuznyechik, KuznyechikMgm, Tier};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn blocks(key: [u8; 32], plaintext in prop::collection::vec(any::<[u8; 16]>(), 0..200)) {
        let peer = kuznyechik::Kuznyechik::new(&key.into());
        let mut expected = plaintext.clone();
        peer.encrypt_blocks(Array::cast_slice_from_core_mut(&mut expected));
        let mut unexpected = plaintext.clone();
        peer.decrypt_blocks(Array::cast_slice_from_core_mut(&mut unexpected));
        for tier in Tier::available() {
            let ours = Kuznyechik::with_tier(&key, tier);
            let mut blocks = plaintext.clone();
            ours.encrypt_blocks(&mut blocks).unwrap();
            prop_assert_eq!(&blocks, &expected, "{}", tier);
            let mut blocks = plaintext.clone();
            ours.decrypt_blocks(&mut blocks).unwrap();
            prop_assert_eq!(&blocks, &unexpected, "{}", tier);
        }
    }

    #[test]
    fn mgm(
        key: [u8; 32],
        mut nonce: [u8; 16],
        aad in prop::collection::vec(any::<u8>(), 1..2000),
        plaintext in prop::collection::vec(any::<u8>(), 0..4000),
    ) {
        nonce[0] &= 0x7f;
        let peer = Mgm::<KuznyechikOfMgm>::new(&key.into());
        let mut expected = plaintext.clone();
        let tag = peer.encrypt_in_place_detached(&nonce.into(), &aad, &mut expected);
        expected.extend_from_slice(&tag.unwrap());
        for tier in Tier::available() {
            let ours = KuznyechikMgm::with_tier(&key, tier);
            let sealed = ours.seal_with_nonce(&nonce, &plaintext, &aad).unwrap();
            prop_assert_eq!(&sealed, &expected, "{}", tier);
            let opened = ours.open_with_nonce(&nonce, &sealed, &aad);
            prop_assert_eq!(opened.as_ref(), Ok(&plaintext), "{}", tier);
        }
    }
}

/// Our key behind the same traits as theirs, through every call that they have.
#[cfg(feature = "cipher")]
#[test]
fn cipher_traits() {
    fn run<C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt>() -> Vec<Vec<u8>> {
        let key = C::new_from_slice(&[0x5a; 32]).unwrap();
        let mut outputs = Vec::new();
        for count in [0, 1, 2, 63, 64, 65, 200] {
            let block = |i: usize| kuznyechik::cipher::Block::<C>::from_fn(|j| (i * 7 + j) as u8);
            let plaintext: Vec<_> = (0..count).map(block).collect();
            let mut blocks = plaintext.clone();
            key.encrypt_blocks(&mut blocks);
            outputs.push(blocks.concat());
            let mut apart = plaintext.clone();
            key.encrypt_blocks_b2b(&plaintext, &mut apart).unwrap();
            assert_eq!(apart, blocks);
            key.decrypt_blocks(&mut blocks);
            assert_eq!(blocks, plaintext);
            for block in &mut blocks {
                key.encrypt_block(block);
            }
            assert_eq!(blocks, apart);
            for block in &mut blocks {
                key.decrypt_block(block);
            }
            assert_eq!(blocks, plaintext);
        }
        outputs
    }
    assert_eq!(run::<Kuznyechik>(), run::<kuznyechik::Kuznyechik>());
}
