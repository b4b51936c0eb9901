//! The vectors of Kuznyechik in one language: the block cipher, CTR, CTR-ACPKM and OMAC.

use super::keyset_vectors::text_of as field;
use super::player::Player;
use super::{forge, offers};
use serde_json::Value;

fn blocks(player: &mut Player<'_>, key: &str, times: u64, plaintext: &str, ciphertext: &str) {
    for (verb, from, to) in [("encrypt", plaintext, ciphertext), ("decrypt", ciphertext, plaintext)]
    {
        player.answers(&format!("{verb}-blocks {key} {times} {from}"), to);
    }
}

pub(super) fn block(player: &mut Player<'_>, text: &str) -> usize {
    player.case = "RFC 7801".into();
    let file: Value = serde_json::from_str(text).unwrap();
    let [key, plaintext, ciphertext] =
        ["key", "plaintext", "ciphertext"].map(|name| field(&file, name));
    blocks(player, key, 1, plaintext, ciphertext);
    1
}

pub(super) fn chain(player: &mut Player<'_>, text: &str) -> usize {
    player.case = "chains of blocks".into();
    let file: Value = serde_json::from_str(text).unwrap();
    let lanes = file["lanes"].as_array().unwrap();
    // Lane i starts at the block i, 0, ..., 0.
    let starts: String = (0..lanes.len()).map(|lane| format!("{lane:02x}{:030}", 0)).collect();
    let ends: String = lanes.iter().map(|lane| lane.as_str().unwrap()).collect();
    let times = file["times"].as_u64().unwrap();
    blocks(player, field(&file, "key"), times, &starts, &ends);
    lanes.len()
}

/// In pieces of every length, there and back.
fn keystream(player: &mut Player<'_>, mode: &str, plaintext: &str, ciphertext: &str) {
    for piece in 1..=plaintext.len() / 2 {
        player.answers(&format!("{mode} {piece} {plaintext}"), ciphertext);
    }
    player.answers(&format!("{mode} 1000 {ciphertext}"), plaintext);
}

pub(super) fn ctr_acpkm(player: &mut Player<'_>, text: &str) -> usize {
    player.case = "CTR-ACPKM".into();
    let file: Value = serde_json::from_str(text).unwrap();
    let [key, iv, plaintext, ciphertext] =
        ["key", "iv", "plaintext", "ciphertext"].map(|name| field(&file, name));
    let mode = format!("ctr {key} {iv} {}", file["section_len"]);
    keystream(player, &mode, plaintext, ciphertext);
    1
}

pub(super) fn gost(player: &mut Player<'_>, text: &str) -> usize {
    player.case = "GOST R 34.13-2015".into();
    let file: Value = serde_json::from_str(text).unwrap();
    let [key, plaintext, ecb] = ["key", "plaintext", "ecb"].map(|name| field(&file, name));
    blocks(player, key, 1, plaintext, ecb);
    if !offers::is_c(player.name()) {
        return 1;
    }
    let (ctr, omac) = (&file["ctr"], &file["omac"]);
    let mode = format!("ctr {key} {} 0", field(ctr, "iv"));
    keystream(player, &mode, plaintext, field(ctr, "ciphertext"));
    let (printed, whole) = (field(omac, "tag_printed_by_the_standard"), field(omac, "tag"));
    assert!(whole.starts_with(printed));
    // A shorter tag is the beginning of the whole one.
    for tag_len in 4..=whole.len() / 2 {
        let tag = &whole[..2 * tag_len];
        for piece in 1..=plaintext.len() / 2 {
            player.answers(&format!("omac {key} {tag_len} {piece} {plaintext}"), tag);
            let verify = format!("omac-verify {key} {piece} {plaintext}");
            player.answers(&format!("{verify} {tag}"), "verified");
            player.answers(&format!("{verify} {}", forge(tag)), "forged");
        }
    }
    4
}
