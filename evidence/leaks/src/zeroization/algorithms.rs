//! The secrets that each algorithm makes of a key, computed by the oracle.

use super::memory::Needles;
use hmac::{KeyInit, Mac};
use sivka_oracle::aes::Aes;
use sivka_oracle::blake2b::compress;
use sivka_oracle::chacha20_blake2b::{self as family, Context};
use sivka_oracle::{chacha20, gcm_siv, gost_modes, kuznyechik, polyval};

/// So many powers of H, and multipliers of MGM.
pub(super) const FEW: usize = 8;

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
pub(super) fn add_aes_siv(needles: &mut Needles, key: &[u8]) {
    let (mac_key, ctr_key) = key.split_at(key.len() / 2);
    add_aes(needles, "key of S2V", mac_key);
    add_aes(needles, "key of CTR", ctr_key);
    add_cmac_subkeys(needles, mac_key);
}

/// RFC 4493 section 2.3.
pub(super) fn add_cmac_subkeys(needles: &mut Needles, key: &[u8]) {
    let mut subkey = u128::from_be_bytes(Aes::new(key).encrypt_block([0; 16]));
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

/// The keys of the family's messages, and the state of a hash that has absorbed its key.
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
    for (name, key, hash_len) in absorbed.iter().flat_map(|(n, k)| hash_lens.map(|len| (n, k, len)))
    {
        let mut block = [0; 128];
        block[..key.len()].copy_from_slice(key);
        let mut state = sivka_oracle::blake2b::IV;
        state[0] ^= 0x0101_0000 | (key.len() as u64) << 8 | hash_len;
        compress(&mut state, &block, 128, false);
        let state = state.map(u64::to_le_bytes);
        needles.add(&format!("the hash that has absorbed {name}"), state.as_flattened());
    }
}

/// The modes of GOST R 34.13: OMAC's masks, ACPKM's next key.
pub(super) fn add_other_modes(needles: &mut Needles, key: &[u8]) {
    add_kuznyechik(needles, key);
    let key: &[u8; 32] = key.try_into().expect("32 bytes");
    for mask in gost_modes::omac_keys(key) {
        needles.add("a mask of OMAC", &mask);
    }
    let next = gost_modes::acpkm(key);
    needles.add("the next key of ACPKM", &next);
    add_kuznyechik(needles, &next);
}

/// RFC 2104, with the hash that `M` has.
pub(super) fn mac<M: Mac + KeyInit>(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

/// HKDF-Expand, RFC 5869 section 2.3.
pub(super) fn expand<M: Mac + KeyInit>(key: &[u8], info: &[&[u8]], len: usize) -> Vec<u8> {
    let (info, mut out, mut block) = (info.concat(), Vec::new(), Vec::new());
    for counter in 1.. {
        block = mac::<M>(key, &[&block, &info, &[counter]]);
        out.extend_from_slice(&block);
        if out.len() >= len {
            break;
        }
    }
    out.truncate(len);
    out
}
