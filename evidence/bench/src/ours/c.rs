//! The C interface, called as C calls it: through pointers that the compiler cannot see
//! through, so that nothing of it is inlined.

use crate::aead::{Aead, Apart, Given};
use crate::harness::Work;
use crate::messages::{Messages, Shape};
use sivka_ffi::key::{self, sivka_key_free, sivka_key_new_by_name};
use sivka_ffi::seal::{sivka_open, sivka_open_detached, sivka_seal, sivka_seal_detached};
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

impl Key {
    /// Seals `len` bytes at `from` to as many at `to`, which may be the same.
    ///
    /// # Safety
    ///
    /// The bytes at `from` can be read, and those at `to` written.
    #[inline(always)]
    unsafe fn seal_from(
        &self,
        nonce: &[u8],
        aad: &[u8],
        (from, to, len): (Bytes, Room, usize),
        tag: &mut [u8],
    ) {
        let key = self.key.as_ptr();
        // SAFETY: a live key; all parts are valid for the lengths beside them, the text by the
        // contract above.
        let status = unsafe {
            (self.seal)(
                key,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                from,
                len,
                to,
                len,
                tag.as_mut_ptr(),
                tag.len(),
            )
        };
        assert_eq!(status, SIVKA_OK, "sivka_seal_detached fails");
    }

    /// Opens, and returns whether the tag was right.
    ///
    /// # Safety
    ///
    /// As of [`Key::seal_from`].
    #[inline(always)]
    unsafe fn open_from(
        &self,
        nonce: &[u8],
        aad: &[u8],
        (from, to, len): (Bytes, Room, usize),
        tag: &[u8],
    ) -> bool {
        let key = self.key.as_ptr();
        // SAFETY: as in `seal_from`, with a tag that is read.
        let status = unsafe {
            (self.open)(
                key,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                from,
                len,
                tag.as_ptr(),
                tag.len(),
                to,
                len,
            )
        };
        status == SIVKA_OK
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
        let text = in_out.as_mut_ptr();
        // SAFETY: one buffer, of this length.
        unsafe { self.seal_from(nonce, aad, (text, text, in_out.len()), tag) }
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = message.split_at_mut(message.len() - self.tag_len);
        let text = in_out.as_mut_ptr();
        // SAFETY: one buffer, of this length.
        unsafe { self.open_from(nonce, aad, (text, text, in_out.len()), tag) }
    }
}

impl Apart for Key {
    #[inline(always)]
    fn seal_apart(&mut self, given: Given<'_>, to: &mut [u8], tag: &mut [u8]) {
        let Given { nonce, aad, text } = given;
        assert_eq!(text.len(), to.len());
        let (from, to, len) = (text.as_ptr(), to.as_mut_ptr(), to.len());
        // SAFETY: two buffers, both of this length.
        unsafe { self.seal_from(nonce, aad, (from, to, len), tag) }
    }

    #[inline(always)]
    fn open_apart(&mut self, given: Given<'_>, tag: &[u8], to: &mut [u8]) -> bool {
        let Given { nonce, aad, text } = given;
        assert_eq!(text.len(), to.len());
        let (from, to, len) = (text.as_ptr(), to.as_mut_ptr(), to.len());
        // SAFETY: two buffers, both of this length.
        unsafe { self.open_from(nonce, aad, (from, to, len), tag) }
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
