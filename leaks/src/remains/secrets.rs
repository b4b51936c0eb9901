//! Every secret that is made of a key, computed by the oracle: what is searched for.

mod keyset;

use super::files::{Secret, add_file, add_tried};
use super::memory::Needles;
use super::request::{Act, Ending, Request, batch_lens, nonce_of, wrong};
use sivka_oracle::aes::Aes;
use sivka_oracle::blake2b::compress;
use sivka_oracle::chacha20_blake2b::{self as family, Context};
use sivka_oracle::{chacha20, gcm_siv, gost_modes, kuznyechik, polyval};
use std::fs;
use std::path::Path;

/// So many powers of H, and multipliers of MGM.
const FEW: usize = 8;

/// The secrets of a request of this process's making.
pub(super) fn of(request: &Request, file: &Path) -> Result<Needles, String> {
    let mut needles = Needles::default();
    let read = || fs::read(file).map_err(|e| format!("{}: {e}", file.display()));
    let (ending, given) = match request.act {
        Act::KeyFile(ending) => (ending, request.key().to_vec()),
        Act::Passphrase(ending) => (ending, request.passphrase()),
        Act::Keyset | Act::KeysetRefused => {
            keyset::add(&mut needles, request, &read()?);
            return Ok(needles);
        }
        _ => return Ok(of_key(needles, request)),
    };
    let secret = |given| match request.act {
        Act::KeyFile(_) => Secret::KeyFile(given),
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
        _ => add_other_modes(&mut needles, key),
    }
    needles
}

pub(super) fn add_aes(needles: &mut Needles, name: &str, key: &[u8]) {
    for (i, round_key) in Aes::new(key).round_keys().iter().enumerate() {
        needles.add(&format!("round key {i} of the {name}"), round_key);
    }
}

/// RFC 8452 section 4.
pub(super) fn add_gcm_siv(needles: &mut Needles, key: &[u8], nonce: &[u8]) {
    let keys = gcm_siv::derive_keys(key, nonce);
    let h = u128::from_le_bytes(keys.authentication);
    let mut power = h;
    for i in 1..=FEW {
        needles.add(&format!("H^{i}"), &power.to_le_bytes());
        power = polyval::dot(power, h);
    }
    needles.add("the message-encryption key", &keys.encryption);
    add_aes(needles, "message-encryption key", &keys.encryption);
}

/// RFC 5297: the keys of S2V and of CTR, and what CMAC keeps of the first (RFC 4493, 2.3).
fn add_aes_siv(needles: &mut Needles, key: &[u8]) {
    let (mac_key, ctr_key) = key.split_at(key.len() / 2);
    add_aes(needles, "key of S2V", mac_key);
    add_aes(needles, "key of CTR", ctr_key);
    let mut subkey = u128::from_be_bytes(Aes::new(mac_key).encrypt_block([0; 16]));
    for name in ["L", "K1", "K2"] {
        needles.add(name, &subkey.to_be_bytes());
        subkey = (subkey << 1) ^ ((subkey >> 127) * 0x87);
    }
}

pub(super) fn add_kuznyechik(needles: &mut Needles, key: &[u8]) -> [[u8; 16]; 10] {
    let keys = key.try_into().map(kuznyechik::round_keys);
    let keys = keys.expect("32 bytes");
    for (i, round_key) in keys.iter().enumerate() {
        needles.add(&format!("round key {i}"), round_key);
    }
    keys
}

/// RFC 9058 section 4: where the counters start, and the first multipliers.
pub(super) fn add_mgm(needles: &mut Needles, keys: &[[u8; 16]; 10], nonce: &[u8]) {
    let nonce: [u8; 16] = nonce.try_into().expect("16 bytes");
    let mut start = nonce;
    needles.add("Y_1", &kuznyechik::encrypt_with(keys, &start));
    start[0] |= 0x80;
    let mut z = kuznyechik::encrypt_with(keys, &start);
    for i in 1..=FEW {
        needles.add(&format!("Z_{i}"), &z);
        let h = kuznyechik::encrypt_with(keys, &z);
        needles.add(&format!("H_{i}"), &h);
        let next = u128::from_be_bytes(z).wrapping_add(1 << 64);
        z = next.to_be_bytes();
    }
}

/// The keys of the family's messages, and what a hash has become that has absorbed its key.
pub(super) fn add_family_message(
    needles: &mut Needles,
    key: &[u8],
    contexts: &Context,
    nonce: &[u8],
) {
    let key: &[u8; 32] = key.try_into().expect("32 bytes");
    let ke = family::encryption_key(key, contexts.encryption);
    let km = family::mac_key(key, nonce, contexts.mac);
    needles.add("Ke", &ke);
    needles.add("Km", &km);
    if let Some(first) = nonce.first_chunk() {
        needles.add("the subkey", &chacha20::hchacha20(&ke, first));
    }
    let absorbed = [("the key", &key[..]), ("Km", &km)];
    let hash_lens = [32, 48, 64];
    for (name, key, hash_len) in absorbed
        .iter()
        .flat_map(|(n, k)| hash_lens.map(|len| (n, k, len)))
    {
        let mut block = [0; 128];
        block[..key.len()].copy_from_slice(key);
        let mut state = sivka_oracle::blake2b::IV;
        state[0] ^= 0x0101_0000 | (key.len() as u64) << 8 | hash_len;
        compress(&mut state, &block, 128, false);
        let state = state.map(u64::to_le_bytes);
        needles.add(
            &format!("the hash that has absorbed {name}"),
            state.as_flattened(),
        );
    }
}

/// The modes of GOST R 34.13: OMAC's masks, ACPKM's next key.
fn add_other_modes(needles: &mut Needles, key: &[u8]) {
    add_kuznyechik(needles, key);
    let key: &[u8; 32] = key.try_into().expect("32 bytes");
    for mask in gost_modes::omac_keys(key) {
        needles.add("a mask of OMAC", &mask);
    }
    let next = gost_modes::acpkm(key);
    needles.add("the next key of ACPKM", &next);
    add_kuznyechik(needles, &next);
}
