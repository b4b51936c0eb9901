//! Every secret that is made of a key, computed by the oracle: what is searched for.

mod keyset;

use super::algorithms::{
    add_aes, add_aes_siv, add_family_message, add_gcm_siv, add_kuznyechik, add_mgm, add_other_modes,
};
use super::files::{Kind, Secret, add_file, add_tried};
use super::memory::Needles;
use super::request::{Act, Ending, Request, batch_lens, nonce_of, wrong};
use sivka_oracle::chacha20_blake2b::Context;
use std::fs;
use std::path::Path;

/// The secrets of a request of this process's making.
pub(super) fn of(request: &Request, file: &Path) -> Result<Needles, String> {
    let mut needles = Needles::default();
    let read = || fs::read(file).map_err(|e| format!("{}: {e}", file.display()));
    let (ending, given) = match request.act {
        Act::KeyFile(ending) => (ending, request.key().to_vec()),
        Act::X25519(ending) | Act::PostQuantum(ending) => (ending, request.key().to_vec()),
        Act::Passphrase(ending) => (ending, request.passphrase()),
        Act::Keyset | Act::KeysetRefused => {
            keyset::add(&mut needles, request, &read()?);
            return Ok(needles);
        }
        _ => return Ok(of_key(needles, request)),
    };
    let secret = |given| match request.act {
        Act::KeyFile(_) => Secret::KeyFile(given),
        Act::X25519(_) => Secret::Identity(Kind::X25519, given),
        Act::PostQuantum(_) => Secret::Identity(Kind::PostQuantum, given),
        _ => Secret::Passphrase(given),
    };
    secret(&given).add(&mut needles);
    if ending != Ending::Refused {
        let file = read()?;
        let done = add_file(&mut needles, &file, &secret(&given));
        done.ok_or("no such file")?;
        let mut other = given.clone();
        wrong(&mut other);
        secret(&other).add(&mut needles);
        add_tried(&mut needles, &file, &secret(&other)).ok_or("no such file")?;
    }
    Ok(needles)
}

/// The secrets of a key of an algorithm.
fn of_key(mut needles: Needles, request: &Request) -> Needles {
    let messages = match request.act {
        Act::SetUp | Act::Refused => 0,
        Act::Batch | Act::BatchForged => batch_lens(request.len).len(),
        _ => 1,
    };
    let name = request.algorithm.trim_start_matches("typed:");
    let key = request.key();
    needles.add("the key", key);
    match name {
        "AES-128-GCM-SIV" | "AES-256-GCM-SIV" => {
            add_aes(&mut needles, "key-generating key", key);
            for message in 0..messages {
                add_gcm_siv(&mut needles, key, &nonce_of(message, 12));
            }
        }
        "AES-SIV-256" | "AES-SIV-384" | "AES-SIV-512" => add_aes_siv(&mut needles, key),
        "Kuznyechik-MGM" => {
            let keys = add_kuznyechik(&mut needles, key);
            for message in 0..messages {
                add_mgm(&mut needles, &keys, &nonce_of(message, 16));
            }
        }
        _ if name.contains("BLAKE2b") => {
            let contexts = Context::of(name.split("-Tag").next().unwrap_or(name));
            for message in 0..messages {
                let nonce = nonce_of(message, contexts.nonce_len);
                add_family_message(&mut needles, key, &contexts, &nonce);
            }
        }
        "Kuznyechik" | "Kuznyechik-CTR" | "Kuznyechik-CTR-ACPKM" | "Kuznyechik-OMAC" => {
            add_other_modes(&mut needles, key);
        }
        // A cipher of which nothing is searched would be found clean.
        _ => panic!("no secrets of `{name}` are known"),
    }
    needles
}
