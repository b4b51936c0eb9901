//! The C interface, called as C calls it: through pointers that the compiler cannot see
//! through, so that nothing of it is inlined.

use crate::aead::{Aead, Apart, Given};
use crate::harness::Work;
use crate::messages::{Messages, Shape};
use sivka_ffi::algorithm::sivka_algorithm_from_name;
use sivka_ffi::key::{self, sivka_key_free, sivka_key_new};
use sivka_ffi::message::{Message, sivka_open, sivka_seal};
use sivka_ffi::status::{SIVKA_OK, Status};
use std::ffi::CString;
use std::hint::black_box;
use std::ptr::{self, NonNull};

type Bytes = *const u8;
type Room = *mut u8;

/// sivka_seal() and sivka_open().
type Call = unsafe extern "C" fn(*const key::Key, *const Message, *mut usize) -> Status;

/// A text of `len` bytes at `from`, whose other text is as long at `to`, which may be the same.
#[inline(always)]
fn message(nonce: &[u8], aad: &[u8], (from, to, len): (Bytes, Room, usize)) -> Message {
    Message {
        nonce: nonce.as_ptr(),
        nonce_len: nonce.len(),
        aad: aad.as_ptr(),
        aad_len: aad.len(),
        input: from,
        input_len: len,
        output: to,
        output_len: len,
        ..Message::default()
    }
}

/// A key made by sivka_key_new(), which we own.
pub(super) struct Key {
    key: NonNull<key::Key>,
    tag_len: usize,
    seal: Call,
    open: Call,
}

impl Key {
    pub(super) fn new(row: &sivka::Algorithm, key: &[u8]) -> Self {
        let name = CString::new(row.name()).expect("a name without a zero");
        let (mut number, mut made) = (0, ptr::null_mut());
        // SAFETY: a C string, bytes readable for the length beside them, and places that
        // are writable.
        let status = unsafe {
            let found = sivka_algorithm_from_name(name.as_ptr(), &raw mut number);
            assert_eq!(found, SIVKA_OK, "sivka_algorithm_from_name fails");
            sivka_key_new(number, key.as_ptr(), key.len(), &raw mut made)
        };
        assert_eq!(status, SIVKA_OK, "sivka_key_new fails");
        Self {
            key: NonNull::new(made).expect("a key"),
            tag_len: row.tag_len(),
            seal: black_box(sivka_seal),
            open: black_box(sivka_open),
        }
    }

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
        text: (Bytes, Room, usize),
        tag: &mut [u8],
    ) {
        let message =
            Message { tag: tag.as_mut_ptr(), tag_len: tag.len(), ..message(nonce, aad, text) };
        // SAFETY: a live key; all parts are valid for the lengths beside them, the text by the
        // contract above.
        let status = unsafe { (self.seal)(self.key.as_ptr(), &raw const message, ptr::null_mut()) };
        assert_eq!(status, SIVKA_OK, "sivka_seal fails");
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
        text: (Bytes, Room, usize),
        tag: &[u8],
    ) -> bool {
        let message = Message {
            tag: tag.as_ptr().cast_mut(),
            tag_len: tag.len(),
            ..message(nonce, aad, text)
        };
        // SAFETY: as in `seal_from`, with a tag that is read.
        let status = unsafe { (self.open)(self.key.as_ptr(), &raw const message, ptr::null_mut()) };
        status == SIVKA_OK
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key came from sivka_key_new() and is freed once.
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
}

impl RandomNonces {
    /// Checks first that the trait opens what sivka_seal() seals, as no other contender
    /// makes the same bytes.
    pub(super) fn new(row: &sivka::Algorithm, key: &[u8], shape: Shape) -> Self {
        let this = Self { key: Key::new(row, key) };
        let (plaintext, aad) = (vec![0x5a; shape.len], vec![0xa5; shape.aad_len]);
        let mut sealed = vec![0; shape.nonce_len + shape.len + shape.tag_len];
        this.call(this.key.seal, &aad, &plaintext, &mut sealed);
        let opened = row.new_key(key).and_then(|key| key.open(&sealed, &aad));
        assert_eq!(opened, Ok(plaintext), "sivka_seal disagrees with the trait");
        this
    }

    #[inline(always)]
    fn call(&self, function: Call, aad: &[u8], input: &[u8], output: &mut [u8]) {
        let mut written = 0;
        let text = (input.as_ptr(), output.as_mut_ptr(), input.len());
        let message =
            Message { nonce: ptr::null(), output_len: output.len(), ..message(&[], aad, text) };
        // SAFETY: a live key; all parts are valid for the lengths beside them.
        let status =
            unsafe { function(self.key.key.as_ptr(), &raw const message, &raw mut written) };
        assert!(status == SIVKA_OK && written == output.len(), "sivka_seal or sivka_open fails");
    }
}

impl Work for RandomNonces {
    fn forward(&mut self, messages: &mut Messages) {
        let len = messages.shape().len;
        for (_, aad, input, output) in messages.each_apart() {
            self.call(self.key.seal, aad, &input[..len], output);
        }
    }

    fn backward(&mut self, messages: &mut Messages) {
        let len = messages.shape().len;
        for (_, aad, input, output) in messages.each_apart() {
            self.call(self.key.open, aad, input, &mut output[..len]);
        }
    }
}
