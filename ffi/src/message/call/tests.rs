//! The quick look at the arguments passes nothing that the long one refuses.

use super::*;
use sivka_oracle::lengths::painted;

/// Addresses and lengths close together, at null, and at both ends of memory.
fn arguments(seed: usize) -> impl Iterator<Item = (*const u8, usize)> {
    let bytes = painted(seed, 1 << 16);
    (0..1 << 15).map(move |i| {
        let start = match bytes[2 * i] % 32 {
            0 => 0,
            1 => usize::MAX - 20,
            2 => isize::MAX as usize,
            near => 1000 + 4 * usize::from(near),
        };
        let len = match bytes[2 * i + 1] % 16 {
            0 => isize::MAX as usize,
            1 => usize::MAX - 15,
            short => usize::from(short) - 2,
        };
        (ptr::without_provenance(start), len)
    })
}

/// Whether the quick look passes a call, and the long one.
fn looks<const SEALS: bool>(key: &AlgorithmKey, given: &Given, told: *mut usize) -> [bool; 2] {
    let kind = (given.nonce.is_null(), given.tag.is_null());
    let at_once = Call::new::<SEALS>(key, given, kind).is_right_at_once::<SEALS>(given, told);
    let told = Region::optional("told", told).map(Region::span);
    [at_once, told.is_ok_and(|told| check::<SEALS>(key, given, told).is_ok())]
}

/// Every argument is made up: the calls are not carried out.
#[test]
fn the_quick_look_passes_only_what_the_long_one_passes() {
    let row = |name| sivka::Algorithm::find(name).expect("an algorithm");
    let keys = [
        AlgorithmKey::of(row("AES-256-GCM-SIV"), &[7; 32]),
        AlgorithmKey::of(row("AES-SIV-256"), &[7; 32]),
        AlgorithmKey::of(row("ChaCha20-BLAKE2b"), &[7; 32]),
    ];
    let (mut passed, mut refused, mut twice) = ([0; 6], [0; 6], [0; 6]);
    let others = arguments(3).zip(arguments(4)).zip(arguments(5));
    for (i, (input, ((aad, output), (tag, told)))) in arguments(1).zip(others).enumerate() {
        let key = keys[i / 3 % 3].if_algorithm();
        let key = key.expect("a key of an algorithm");
        // Lengths that are right are met by chance too seldom.
        let nonce = (aad.0.wrapping_add(i % 40), key.nonce_len + usize::from(i % 64 == 5));
        let told: *mut usize = match i % 2 {
            0 => ptr::null_mut(),
            _ => ptr::without_provenance_mut(1000 + told % 128),
        };
        let nothing = (ptr::null(), 0);
        for level in 0..3 {
            for seals in [true, false] {
                let ends_len = [key.nonce_len + key.tag_len, key.tag_len, 0][level];
                let (input_len, output_len) = match seals {
                    true => (input.1, input.1.wrapping_add(ends_len)),
                    false => (input.1.wrapping_add(ends_len), input.1),
                };
                // Of the text in what is joined.
                let tag_len = usize::from(key.tag_first) * key.tag_len;
                let front_len = [key.nonce_len + tag_len, tag_len, 0][level];
                let output_start = match (i % 3, seals) {
                    (0, true) => input.0.wrapping_sub(front_len),
                    (0, false) => input.0.wrapping_add(front_len),
                    _ => output.0,
                };
                let nonce = if level > 0 { nonce } else { nothing };
                let tag = if level == 2 { (tag, key.tag_len) } else { nothing };
                let given = Given {
                    nonce: nonce.0,
                    nonce_len: nonce.1,
                    aad: aad.0,
                    aad_len: aad.1,
                    input: input.0,
                    input_len,
                    output: output_start.cast_mut(),
                    output_len: output_len.wrapping_add(usize::from(i % 64 == 9)),
                    tag: tag.0.cast_mut(),
                    tag_len: tag.1,
                    ..Given::default()
                };
                let [at_once, at_last] = match seals {
                    true => looks::<true>(key, &given, told),
                    false => looks::<false>(key, &given, told),
                };
                assert!(!at_once || at_last, "{i}, {level}, {seals}");
                let kind = 2 * level + usize::from(seals);
                passed[kind] += usize::from(at_once);
                refused[kind] += usize::from(!at_last);
                twice[kind] += usize::from(!at_once && at_last);
            }
        }
    }
    for kind in 0..6 {
        let (passed, refused, twice) = (passed[kind], refused[kind], twice[kind]);
        assert!(passed > 500 && refused > 500, "{passed}, {refused}");
        assert!(twice < passed, "{twice} are looked at twice, {passed} once");
    }
}

/// Where both are in the upper half, no bit of the sum tells.
#[test]
fn what_cannot_be_memory_is_not_plausible() {
    let at = |address: usize| ptr::without_provenance::<u8>(address);
    let high = 1_usize << (usize::BITS - 1);
    assert!(plausible([(at(4096), 16), (at(1), 0)]));
    for (address, len) in [(0, 16), (high + 1, high), (high + 1, 0), (1, high), (4096, high)] {
        let part = (at(address), len);
        assert!(!plausible([part]), "{address:x}, {len:x}");
        assert!(!plausible([(at(4096), 16), part]), "{address:x}, {len:x}");
    }
}
