//! Every secret derived from a key, computed by the oracle, for the search.

mod keyset;

use super::algorithms::{
    add_aes, add_aes_siv, add_family_message, add_gcm_siv, add_kuznyechik, add_mgm, add_other_modes,
};
use super::files::{Secret, add_file};
use super::memory::Needles;
use crate::calls::{Of, nonce_of};
use crate::secret::Seed;
use sivka::Algorithm;
use sivka_oracle::chacha20_blake2b::Context;

/// The secrets of a call that has sealed this, or nothing.
pub(super) fn of(of: Of, seed: Seed, sealed: &[u8]) -> Result<Needles, String> {
    let (mut needles, secrets) = (Needles::default(), seed.unmarked());
    match of {
        Of::Key(name, messages) => {
            let key_len = Algorithm::find(name).map_or(32, |algorithm| algorithm.key_len());
            add_key(&mut needles, name, &secrets.bytes(key_len), messages);
        }
        Of::File(kind) => {
            let [mine, other] = [(); 2].map(|()| Secret::new(kind, secrets.bytes(32)));
            mine.add(&mut needles);
            other.add(&mut needles);
            if !sealed.is_empty() {
                add_file(&mut needles, sealed, &[&mine, &other]).ok_or("no such file")?;
            }
        }
        Of::Keyset(name) => keyset::add(&mut needles, name, &secrets, sealed),
        Of::Service => {}
    }
    Ok(needles)
}

/// The secrets of a key of an algorithm, and of so many messages.
fn add_key(needles: &mut Needles, name: &str, key: &[u8], messages: usize) {
    let nonces = |len| (0..messages).map(move |message| nonce_of(message, len));
    needles.add("the key", key);
    match name {
        "AES-128-GCM-SIV" | "AES-256-GCM-SIV" => {
            add_aes(needles, "key-generating key", key);
            nonces(12).for_each(|nonce| add_gcm_siv(needles, key, &nonce));
        }
        "AES-SIV-256" | "AES-SIV-384" | "AES-SIV-512" => add_aes_siv(needles, key),
        "Kuznyechik-MGM" => {
            let keys = add_kuznyechik(needles, key);
            nonces(16).for_each(|nonce| add_mgm(needles, &keys, &nonce));
        }
        "Kuznyechik" => add_other_modes(needles, key),
        _ if name.contains("BLAKE2b") => {
            let contexts = Context::of(name.split("-Tag").next().unwrap_or(name));
            let nonces = nonces(contexts.nonce_len);
            nonces.for_each(|nonce| add_family_message(needles, key, contexts, &nonce));
        }
        // A cipher without searched secrets would be found clean.
        _ => panic!("no secrets of `{name}` are known"),
    }
}
