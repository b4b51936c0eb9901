//! Keys of every type where programs in Rust have them: on the stack.

use super::{AAD, Call, Depth, OVERWRITTEN_LEN, Of, SHORT_AAD, nonce_of, watched};
use crate::secret::{array, used};
use sivka::{
    Aead, Aes128GcmSiv, Aes256GcmSiv, AesSiv256, AesSiv384, AesSiv512, ChaCha20Blake2b,
    KuznyechikMgm, XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Lengths of texts in bytes: of none, short and long for every kernel, and overwritten.
const LENS: [Option<usize>; 5] = [None, Some(16), Some(600), Some(9000), Some(70_000)];

pub(super) fn add(calls: &mut Vec<Call>) {
    add_type(calls, "AES-128-GCM-SIV", Aes128GcmSiv::new);
    add_type(calls, "AES-256-GCM-SIV", Aes256GcmSiv::new);
    add_type(calls, "ChaCha20-BLAKE2b", ChaCha20Blake2b::new);
    add_type(calls, "XChaCha20-BLAKE2b", XChaCha20Blake2b::new);
    add_type(calls, "XChaCha20-BLAKE2b-SIV", XChaCha20Blake2bSiv::new);
    add_type(calls, "AES-SIV-256", AesSiv256::new);
    add_type(calls, "AES-SIV-384", AesSiv384::new);
    add_type(calls, "AES-SIV-512", AesSiv512::new);
    add_type(calls, "Kuznyechik-MGM", KuznyechikMgm::new);
}

fn add_type<K: Aead + 'static, const KEY_LEN: usize>(
    calls: &mut Vec<Call>,
    name: &'static str,
    new: fn(&[u8; KEY_LEN]) -> K,
) {
    for (len, panics) in LENS.iter().flat_map(|len| [(*len, false), (*len, true)]) {
        let end = if panics { "a panic" } else { "its end" };
        let what = len.map_or("set-up".to_owned(), |len| format!("seal and open, {len} B"));
        let (name, of) = (
            format!("{name} on the stack: {what}, {end}"),
            Of::Key(name, usize::from(len.is_some())),
        );
        let prepare = move |seed: crate::secret::Seed| {
            let bytes = seed.secrets().bytes(KEY_LEN);
            let call = move || {
                catch_unwind(AssertUnwindSafe(|| {
                    // Freed where it was made: a move leaves a copy, which a key cannot wipe.
                    let key = new(array(&bytes));
                    drop(bytes);
                    len.into_iter().for_each(|len| seal_and_open(&key, len));
                    if panics {
                        resume_unwind(Box::new(()));
                    }
                    used(&key, len.is_none_or(|len| len >= OVERWRITTEN_LEN));
                }))
            };
            watched(call, move |done| assert_eq!(done.is_err(), panics))
        };
        calls.push(Call::new(name, of, prepare).at(Depth::Searched));
    }
}

#[inline(never)]
fn seal_and_open(key: &dyn Aead, len: usize) {
    let algorithm = key.algorithm();
    let (nonce, aad) = (nonce_of(0, algorithm.nonce_len()), &AAD[..SHORT_AAD]);
    let (mut text, mut tag) = (vec![0; len], vec![0; algorithm.tag_len()]);
    let sealed = key.seal_in_place(&nonce, aad, &mut text, &mut tag);
    sealed.expect("within the limits");
    let opened = key.open_in_place(&nonce, aad, &mut text, &tag);
    opened.expect("what was sealed");
}
