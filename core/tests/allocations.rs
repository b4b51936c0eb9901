//! The in-place calls and the batches use no heap.

use sivka::{Aes128GcmSiv, Aes256GcmSiv, BatchAad, BatchText, KuznyechikMgm, Status, Tag, Tier};
use sivka::{ChaCha20Blake2b, LongTag, TagLen, XChaCha20Blake2b, XChaCha20Blake2bSiv};

macro_rules! check {
    ($name:ident) => {
        for tier in Tier::available() {
            let key = $name::with_tier(&[1; $name::KEY_LEN], tier);
            let mut message = vec![0; 5000];
            let nonces = [[3; $name::NONCE_LEN]; 40];
            let offsets: Vec<usize> = (0..=40).map(|i| i * 120).collect();
            let (mut tags, mut statuses) = ([Tag::from([0; 16]); 40], [Status::Done; 40]);
            let used = allocation_counter::measure(|| {
                for len in [0, 1, 16, 100, 300, 5000] {
                    let in_out = &mut message[..len];
                    let tag = key
                        .seal_in_place(&[2; $name::NONCE_LEN], b"aad", in_out)
                        .unwrap();
                    key.open_in_place(&[2; $name::NONCE_LEN], b"aad", in_out, &tag)
                        .unwrap();
                    assert!(
                        key.open_in_place(&[9; $name::NONCE_LEN], b"aad", in_out, &tag)
                            .is_err()
                    );
                }
                let aad = BatchAad::Common(b"aad");
                let bytes = &mut message[..];
                let text = BatchText::Contiguous {
                    bytes,
                    offsets: &offsets,
                };
                key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses)
                    .unwrap();
                let bytes = &mut message[..];
                let text = BatchText::Contiguous {
                    bytes,
                    offsets: &offsets,
                };
                key.open_batch(&nonces, aad, text, &tags, &mut statuses)
                    .unwrap();
            });
            assert_eq!(used.count_total, 0, "{} on {tier}", stringify!($name));
        }
    };
}

/// For the keys with long tags, of which SIV takes no nonce.
macro_rules! check_long_tag {
    ($name:ident, $($nonce_len:literal)?) => {
        for tier in Tier::available() {
            let key = $name::with_tier(&[1; 32], TagLen::Bytes48, tier);
            let mut message = vec![0; 5000];
            let offsets: Vec<usize> = (0..=40).map(|i| i * (i + 84)).collect();
            let (mut tags, mut statuses) = ([LongTag::from([0; 32]); 40], [Status::Done; 40]);
            let used = allocation_counter::measure(|| {
                for len in [0, 1, 127, 300, 1100, 5000] {
                    let in_out = &mut message[..len];
                    let tag = key.seal_in_place($(&[2; $nonce_len],)? b"aad", in_out).unwrap();
                    key.open_in_place($(&[2; $nonce_len],)? b"aad", in_out, &tag).unwrap();
                    assert!(key.open_in_place($(&[2; $nonce_len],)? b"AAD", in_out, &tag).is_err());
                }
                let aad = BatchAad::Common(b"aad");
                let bytes = &mut message[..];
                let text = BatchText::Contiguous { bytes, offsets: &offsets };
                key.seal_batch($(&[[3; $nonce_len]; 40],)? aad, text, &mut tags, &mut statuses)
                    .unwrap();
                let bytes = &mut message[..];
                let text = BatchText::Contiguous { bytes, offsets: &offsets };
                key.open_batch($(&[[3; $nonce_len]; 40],)? aad, text, &tags, &mut statuses)
                    .unwrap();
            });
            assert_eq!(used.count_total, 0, "{} on {tier}", stringify!($name));
        }
    };
}

#[test]
fn in_place_calls_use_no_heap() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1; 9])));
    assert_eq!(counted.count_total, 1, "the counter counts");
    check!(Aes128GcmSiv);
    check!(Aes256GcmSiv);
    check!(KuznyechikMgm);
    check_long_tag!(ChaCha20Blake2b, 8);
    check_long_tag!(XChaCha20Blake2b, 24);
    check_long_tag!(XChaCha20Blake2bSiv,);
}
