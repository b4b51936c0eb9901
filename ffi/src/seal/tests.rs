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
            near => 1000 + usize::from(near),
        };
        let len = match bytes[2 * i + 1] % 16 {
            0 => isize::MAX as usize,
            1 => usize::MAX - 15,
            short => usize::from(short) - 2,
        };
        (ptr::without_provenance(start), len)
    })
}

/// Calls the first function, which checks and then works on no memory at all, as every
/// argument is made up: it is only asked whether a call would pass.
#[test]
fn the_quick_look_passes_only_what_the_long_one_passes() {
    let row = sivka::Algorithm::find("AES-256-GCM-SIV").expect("an algorithm");
    let key = Key::of(row, &[7; 32]);
    let (mut passed, mut refused, mut twice) = (0, 0, 0);
    let others = arguments(3).zip(arguments(4)).zip(arguments(5));
    for (i, (input, ((aad, output), (joined, _)))) in arguments(1).zip(others).enumerate() {
        let (text_len, nonce) = (input.1, aad.0.wrapping_add(i % 40));
        let output = if i % 3 == 0 { input.0 } else { output.0 }.cast_mut();
        let message = Message {
            key: &key,
            nonce,
            aad: aad.0,
            aad_len: aad.1,
            input: input.0,
            output,
            text_len,
            tag: joined.cast_mut(),
        };
        for seals in [true, false] {
            let long = || {
                let parts = Parts {
                    nonce: Region::new("nonce", nonce, key.nonce_len)?,
                    aad: Region::new("aad", aad.0, aad.1)?,
                    input: Region::new("input", input.0, text_len)?,
                    output: Region::new("output", output, text_len)?,
                    tag: Region::new("tag", joined, key.tag_len)?,
                };
                if seals {
                    parts.check_to_seal()
                } else {
                    parts.check_to_open()
                }
            };
            // What is sound at once must be sound; the others are looked at again.
            let (sound, long) = (message.is_sound(seals), long());
            assert!(!sound || long.is_ok(), "{i}: {long:?}");
            passed += usize::from(sound);
            refused += usize::from(long.is_err());
            twice += usize::from(!sound && long.is_ok());
        }
    }
    assert!(passed > 1000 && refused > 1000, "{passed}, {refused}");
    assert!(twice < passed, "{twice} are looked at twice, {passed} once");
}
