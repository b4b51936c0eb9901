//! The in-place calls, the apart calls and the batches use no heap.

use sivka::{Algorithm, BatchAad, BatchText, Status, Tier};

const COUNT: usize = 40;

fn check(algorithm: &Algorithm, tier: Tier) {
    let key = vec![1; algorithm.key_len()];
    let key = algorithm.new_key_with_tier(&key, tier).expect("a key of that length");
    let (mut message, mut apart) = (vec![0; 5000], vec![0; 5000]);
    let (nonce, other_aad) = (vec![2; algorithm.nonce_len()], b"AAD");
    let nonces = vec![3; COUNT * algorithm.nonce_len()];
    let offsets: [usize; COUNT + 1] = core::array::from_fn(|i| i * (i + 84));
    let mut tags = vec![0; COUNT * algorithm.tag_len()];
    let mut statuses = [Status::Done; COUNT];
    let mut tag = vec![0; algorithm.tag_len()];
    let used = allocation_counter::measure(|| {
        let aad = b"aad";
        for len in [0, 1, 16, 100, 127, 300, 1100, 5000] {
            let (in_out, apart) = (&mut message[..len], &mut apart[..len]);
            key.seal_into(&nonce, in_out, aad, apart, &mut tag).unwrap();
            key.open_into(&nonce, apart, aad, &tag, in_out).unwrap();
            let opened = key.open_into(&nonce, apart, other_aad, &tag, in_out);
            assert!(opened.is_err());
            key.seal_in_place(&nonce, aad, in_out, &mut tag).unwrap();
            key.open_in_place(&nonce, aad, in_out, &tag).unwrap();
            let opened = key.open_in_place(&nonce, other_aad, in_out, &tag);
            assert!(opened.is_err());
        }
        let (aad, bytes, offsets) = (BatchAad::Common(b"aad"), &mut message, &offsets);
        let text = BatchText::Contiguous { bytes, offsets };
        key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses).unwrap();
        let text = BatchText::Contiguous { bytes, offsets };
        key.open_batch(&nonces, aad, text, &tags, &mut statuses).unwrap();
    });
    assert_eq!(used.count_total, 0, "{algorithm} on {tier}");
}

#[test]
fn calls_that_return_no_vec_use_no_heap() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1; 9])));
    assert_eq!(counted.count_total, 1, "the counter counts");
    for algorithm in Algorithm::all() {
        Tier::available().for_each(|tier| check(algorithm, tier));
    }
}
