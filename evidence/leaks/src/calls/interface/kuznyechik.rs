//! Kuznyechik through the C interface: the block cipher, CTR, OMAC.

use super::LEN;
use crate::calls::{Call, watched};
use crate::secret::{Seed, publish};
use sivka_ffi::kuznyechik::ctr::*;
use sivka_ffi::kuznyechik::omac::*;
use sivka_ffi::kuznyechik::*;
use sivka_ffi::status::{SIVKA_ERROR_OPEN, SIVKA_OK, Status};
use std::ptr;

/// The length in bytes of 15 blocks.
const BLOCKS_LEN: usize = 240;

pub(super) fn add(calls: &mut Vec<Call>) {
    let mut push = |what: &str, call: fn(&[u8], &mut [u8]) -> Status| {
        let prepare = move |seed: Seed| {
            let secrets = seed.secrets();
            let (key, mut text) = (secrets.bytes(32), secrets.bytes(BLOCKS_LEN));
            watched(
                move || call(&key, &mut text),
                |status| assert_eq!(status, SIVKA_OK),
            )
        };
        calls.push(Call::new(format!("C, Kuznyechik: {what}"), prepare));
    };
    push("blocks there and back", blocks);
    push("CTR", ctr);
    push("CTR-ACPKM", acpkm);
    for (verb, expected) in [("verify", SIVKA_OK), ("verify, forged", SIVKA_ERROR_OPEN)] {
        let prepare = move |seed: Seed| {
            let secrets = seed.secrets();
            let (key, text) = (secrets.bytes(32), secrets.bytes(LEN));
            let mut omac = Omac::new(&key);
            let mut tag = omac.tag(&text);
            publish(&tag);
            tag[seed.place(tag.len())] ^= u8::from(expected != SIVKA_OK);
            let call = move || [omac.verify(&text, &tag), omac.verify_in_pieces(&text, &tag)];
            watched(call, move |statuses| assert_eq!(statuses, [expected; 2]))
        };
        calls.push(Call::new(format!("C, Kuznyechik-OMAC: {verb}"), prepare));
    }
}

fn blocks(key: &[u8], text: &mut [u8]) -> Status {
    let mut made = ptr::null_mut();
    // SAFETY: so many bytes, and a place for a handle, which is freed once.
    unsafe {
        let status = sivka_kuznyechik_new(key.as_ptr(), key.len(), &raw mut made)
            | sivka_kuznyechik_encrypt_blocks(made, text.as_mut_ptr(), text.len())
            | sivka_kuznyechik_decrypt_blocks(made, text.as_mut_ptr(), text.len());
        sivka_kuznyechik_free(made);
        status
    }
}

fn ctr(key: &[u8], text: &mut [u8]) -> Status {
    let (mut made, iv) = (ptr::null_mut(), [1; 8]);
    let (key, key_len, place) = (key.as_ptr(), key.len(), &raw mut made);
    // SAFETY: as above.
    unsafe {
        let status = sivka_kuznyechik_ctr_new(key, key_len, iv.as_ptr(), iv.len(), place)
            | sivka_kuznyechik_ctr_apply_keystream(made, text.as_mut_ptr(), text.len());
        sivka_kuznyechik_ctr_free(made);
        status
    }
}

fn acpkm(key: &[u8], text: &mut [u8]) -> Status {
    let (mut made, iv) = (ptr::null_mut(), [1; 8]);
    let (key, key_len, place) = (key.as_ptr(), key.len(), &raw mut made);
    // SAFETY: as above.
    unsafe {
        let status = sivka_kuznyechik_ctr_acpkm_new(key, key_len, iv.as_ptr(), iv.len(), 64, place)
            | sivka_kuznyechik_ctr_apply_keystream(made, text.as_mut_ptr(), text.len());
        sivka_kuznyechik_ctr_free(made);
        status
    }
}

/// A key of C's, freed at the end.
struct Omac(*mut KuznyechikOmac);

impl Omac {
    fn new(key: &[u8]) -> Self {
        let mut made = ptr::null_mut();
        // SAFETY: so many bytes, and a place for a handle.
        let status =
            unsafe { sivka_kuznyechik_omac_new(key.as_ptr(), key.len(), 16, &raw mut made) };
        assert_eq!(status, SIVKA_OK);
        Self(made)
    }

    fn tag(&self, text: &[u8]) -> [u8; 16] {
        let mut tag = [0; 16];
        let (text, len) = (text.as_ptr(), text.len());
        // SAFETY: a live key, and so many bytes.
        let status = unsafe { sivka_kuznyechik_omac_tag(self.0, text, len, tag.as_mut_ptr(), 16) };
        assert_eq!(status, SIVKA_OK);
        tag
    }

    fn verify(&self, text: &[u8], tag: &[u8; 16]) -> Status {
        // SAFETY: as above.
        unsafe { sivka_kuznyechik_omac_verify(self.0, text.as_ptr(), text.len(), tag.as_ptr(), 16) }
    }

    fn verify_in_pieces(&mut self, text: &[u8], tag: &[u8; 16]) -> Status {
        // SAFETY: as above.
        unsafe {
            sivka_kuznyechik_omac_update(self.0, text.as_ptr(), text.len())
                | sivka_kuznyechik_omac_finish_and_verify(self.0, tag.as_ptr(), 16)
        }
    }
}

impl Drop for Omac {
    fn drop(&mut self) {
        // SAFETY: made above, and freed here only.
        unsafe { sivka_kuznyechik_omac_free(self.0) };
    }
}
