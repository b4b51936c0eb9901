//! A sealed file through the C interface, opened with an identity of a recipient.
//!
//! Only X25519 is watched. ML-KEM-768 draws its public matrix from a seed by rejection (FIPS 203,
//! algorithm 7), and an identity's seed decides that one: with other secrets it is another number
//! of steps, which the public key tells everybody.

use crate::calls::{Call, watched};
use crate::secret::{Seed, publish};
use crate::zeroization::{Kind, identity_text};
use sivka_ffi::file::*;
use sivka_ffi::memory::*;
use sivka_ffi::status::{SIVKA_ERROR_WRONG_KEY, SIVKA_OK, Status};
use std::ptr;

/// The length in bytes of what is sealed.
const TEXT_LEN: usize = 100;

pub(super) fn add(calls: &mut Vec<Call>) {
    for (what, expected) in [
        ("open", SIVKA_OK),
        ("open with a wrong key", SIVKA_ERROR_WRONG_KEY),
    ] {
        let prepare = move |seed: Seed| {
            let secrets = seed.secrets();
            let mine = Keys::of(&secrets.bytes(32));
            let text = secrets.bytes(TEXT_LEN);
            let other = Keys::of(&secrets.bytes(32));
            let sealed = mine.seal(&text);
            publish(sealed.as_slice());
            let keys = if expected == SIVKA_OK { mine } else { other };
            watched(
                move || keys.open(&sealed),
                move |status| assert_eq!(status, expected),
            )
        };
        let name = format!("C, file, X25519: {what}");
        // Curve arithmetic alone has a million instructions, none of which depends on the tier.
        calls.push(Call::new(name, prepare).brief(false));
    }
}

/// A set of keys of C's with an identity, freed at the end.
struct Keys(*mut FileKeys);

impl Keys {
    fn of(identity: &[u8]) -> Self {
        let text = identity_text(Kind::X25519, identity);
        let mut made = ptr::null_mut();
        // SAFETY: a place for a handle, that handle, and so many bytes.
        unsafe {
            assert_eq!(sivka_file_keys_new(&raw mut made), SIVKA_OK);
            let (start, len) = (text.as_ptr().cast(), text.len());
            assert_eq!(sivka_file_keys_add_identities(made, start, len), SIVKA_OK);
        }
        Self(made)
    }

    fn seal(&self, text: &[u8]) -> Vec<u8> {
        let (start, len) = (text.as_ptr(), text.len());
        // SAFETY: a live set, and so many bytes.
        unsafe {
            let mut sealed = vec![0; sivka_seal_memory_len(self.0, 0, len)];
            let (to, room) = (sealed.as_mut_ptr(), sealed.len());
            let status = sivka_seal_memory(start, len, to, room, ptr::null_mut(), self.0, 0);
            assert_eq!(status, SIVKA_OK);
            sealed
        }
    }

    fn open(&self, sealed: &[u8]) -> Status {
        let mut text = [0; TEXT_LEN];
        let (start, len) = (sealed.as_ptr(), sealed.len());
        // SAFETY: a live set, and so many bytes.
        unsafe {
            let to = text.as_mut_ptr();
            sivka_open_memory(start, len, to, TEXT_LEN, ptr::null_mut(), self.0)
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // SAFETY: made above, and freed here only.
        unsafe { sivka_file_keys_free(self.0) };
    }
}
