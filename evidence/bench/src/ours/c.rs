//! The C interface, called as C calls it: through pointers that the compiler cannot see
//! through, so that nothing of it is inlined.

use crate::aead::{Aead, Apart};
use crate::harness::Work;
use crate::messages::{Messages, Shape};
use sivka_ffi::key::{self, sivka_key_free, sivka_key_new_by_name};
use sivka_ffi::seal::{
    sivka_open, sivka_open_detached, sivka_open_with_nonce, sivka_seal, sivka_seal_detached,
    sivka_seal_with_nonce,
};
use sivka_ffi::status::{SIVKA_OK, Status};
use std::ffi::CString;
use std::hint::black_box;
use std::ptr::{self, NonNull};

type Bytes = *const u8;
type Room = *mut u8;

/// sivka_seal_detached().
type Seal = unsafe extern "C" fn(
    *const key::Key,
    Bytes,
    usize,
    Bytes,
    usize,
    Bytes,
    usize,
    Room,
    usize,
    Room,
    usize,
) -> Status;

/// sivka_open_detached().
type Open = unsafe extern "C" fn(
    *const key::Key,
    Bytes,
    usize,
    Bytes,
    usize,
    Bytes,
    usize,
    Bytes,
    usize,
    Room,
    usize,
) -> Status;

/// sivka_seal() and sivka_open().
type Joined = unsafe extern "C" fn(
    *const key::Key,
    Bytes,
    usize,
    Bytes,
    usize,
    Room,
    usize,
    *mut usize,
) -> Status;

/// sivka_seal_with_nonce() and sivka_open_with_nonce().
type JoinedAfterNonce = unsafe extern "C" fn(
    *const key::Key,
    Bytes,
    usize,
    Bytes,
    usize,
    Bytes,
    usize,
    Room,
    usize,
    *mut usize,
) -> Status;

/// A key made by sivka_key_new_by_name(), which we own.
pub(super) struct Key {
    key: NonNull<key::Key>,
    tag_len: usize,
    seal: Seal,
    open: Open,
}

impl Key {
    pub(super) fn new(row: &sivka::Algorithm, key: &[u8]) -> Self {
        let name = CString::new(row.name()).expect("a name without a zero");
        let mut made = ptr::null_mut();
        // SAFETY: a C string, bytes readable for the length beside them, and a pointer that
        // is writable.
        let status =
            unsafe { sivka_key_new_by_name(name.as_ptr(), key.as_ptr(), key.len(), &raw mut made) };
        assert_eq!(status, SIVKA_OK, "sivka_key_new_by_name fails");
        Self {
            key: NonNull::new(made).expect("a key"),
            tag_len: row.tag_len(),
            seal: black_box(sivka_seal_detached),
            open: black_box(sivka_open_detached),
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key came from sivka_key_new_by_name() and is freed once.
        unsafe { sivka_key_free(self.key.as_ptr()) }
    }
}

impl Aead for Key {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        let (text, len) = (in_out.as_mut_ptr(), in_out.len());
        // SAFETY: a live key; all parts are valid for the lengths beside them, and the
        // plaintext may be where the ciphertext will.
        let status = unsafe {
            (self.seal)(
                self.key.as_ptr(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                text,
                len,
                text,
                len,
                tag.as_mut_ptr(),
                tag.len(),
            )
        };
        assert_eq!(status, SIVKA_OK, "sivka_seal_detached fails");
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        let (text, len) = (in_out.as_mut_ptr(), in_out.len());
        // SAFETY: as in `seal`, with a tag that is read.
        let status = unsafe {
            (self.open)(
                self.key.as_ptr(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                text,
                len,
                tag.as_ptr(),
                tag.len(),
                text,
                len,
            )
        };
        status == SIVKA_OK
    }
}

impl Apart for Key {
    #[inline(always)]
    fn seal_apart(
        &mut self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) {
        // SAFETY: a live key; all parts are valid for the lengths beside them.
        let status = unsafe {
            (self.seal)(
                self.key.as_ptr(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                plaintext.as_ptr(),
                plaintext.len(),
                ciphertext.as_mut_ptr(),
                ciphertext.len(),
                tag.as_mut_ptr(),
                tag.len(),
            )
        };
        assert_eq!(status, SIVKA_OK, "sivka_seal_detached fails");
    }

    #[inline(always)]
    fn open_apart(
        &mut self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> bool {
        // SAFETY: as in `seal_apart`, with a tag that is read.
        let status = unsafe {
            (self.open)(
                self.key.as_ptr(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                ciphertext.as_ptr(),
                ciphertext.len(),
                tag.as_ptr(),
                tag.len(),
                plaintext.as_mut_ptr(),
                plaintext.len(),
            )
        };
        status == SIVKA_OK
    }
}

/// sivka_seal_with_nonce() and sivka_open_with_nonce(): the tag after the ciphertext.
pub(super) struct WithNonces {
    key: Key,
    seal: JoinedAfterNonce,
    open: JoinedAfterNonce,
}

impl WithNonces {
    pub(super) fn new(row: &sivka::Algorithm, key: &[u8]) -> Self {
        Self {
            key: Key::new(row, key),
            seal: black_box(sivka_seal_with_nonce),
            open: black_box(sivka_open_with_nonce),
        }
    }

    #[inline(always)]
    fn call(
        &self,
        function: JoinedAfterNonce,
        nonce: &[u8],
        aad: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) {
        let mut written = 0;
        // SAFETY: a live key; all parts are valid for the lengths beside them.
        let status = unsafe {
            function(
                self.key.key.as_ptr(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                input.as_ptr(),
                input.len(),
                output.as_mut_ptr(),
                output.len(),
                &raw mut written,
            )
        };
        assert!(
            status == SIVKA_OK && written == output.len(),
            "sivka_seal_with_nonce or sivka_open_with_nonce fails"
        );
    }
}

impl Work for WithNonces {
    fn forward(&mut self, messages: &mut Messages) {
        let Shape { len, tag_len, .. } = messages.shape();
        let sealed_len = len + tag_len;
        for (nonce, aad, input, output) in messages.each_apart() {
            self.call(
                self.seal,
                nonce,
                aad,
                &input[..len],
                &mut output[..sealed_len],
            );
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let Shape { len, tag_len, .. } = messages.shape();
        let sealed_len = len + tag_len;
        for (nonce, aad, input, output) in messages.each_apart() {
            self.call(
                self.open,
                nonce,
                aad,
                &input[..sealed_len],
                &mut output[..len],
            );
        }
    }
}

/// sivka_seal() and sivka_open(): a random nonce, drawn in the call, in front of ciphertext
/// and tag.
pub(super) struct RandomNonces {
    key: Key,
    seal: Joined,
    open: Joined,
}

impl RandomNonces {
    /// Checks first that the trait opens what sivka_seal() seals, as no other contender
    /// makes the same bytes.
    pub(super) fn new(row: &sivka::Algorithm, key: &[u8], shape: Shape) -> Self {
        let this = Self {
            key: Key::new(row, key),
            seal: black_box(sivka_seal),
            open: black_box(sivka_open),
        };
        let (plaintext, aad) = (vec![0x5a; shape.len], vec![0xa5; shape.aad_len]);
        let mut sealed = vec![0; shape.nonce_len + shape.len + shape.tag_len];
        this.call(this.seal, &aad, &plaintext, &mut sealed);
        let opened = row.new_key(key).and_then(|key| key.open(&sealed, &aad));
        assert_eq!(opened, Ok(plaintext), "sivka_seal disagrees with the trait");
        this
    }

    #[inline(always)]
    fn call(&self, function: Joined, aad: &[u8], input: &[u8], output: &mut [u8]) {
        let mut written = 0;
        // SAFETY: a live key; all parts are valid for the lengths beside them.
        let status = unsafe {
            function(
                self.key.key.as_ptr(),
                aad.as_ptr(),
                aad.len(),
                input.as_ptr(),
                input.len(),
                output.as_mut_ptr(),
                output.len(),
                &raw mut written,
            )
        };
        assert!(
            status == SIVKA_OK && written == output.len(),
            "sivka_seal or sivka_open fails"
        );
    }
}

impl Work for RandomNonces {
    fn forward(&mut self, messages: &mut Messages) {
        let len = messages.shape().len;
        for (_, aad, input, output) in messages.each_apart() {
            self.call(self.seal, aad, &input[..len], output);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let len = messages.shape().len;
        for (_, aad, input, output) in messages.each_apart() {
            self.call(self.open, aad, input, &mut output[..len]);
        }
    }
}
