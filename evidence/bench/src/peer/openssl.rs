//! OpenSSL, whose ciphers are reached by name.

use super::narrow::Narrow;
use super::{Peer, PeerAlgorithm};
use crate::aead::{Aead, OneAtATime, split};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

/// The few functions needed of libcrypto, under the names that build.rs gives them.
mod ffi {
    use super::{c_char, c_int, c_void};

    #[repr(C)]
    pub(super) struct EvpCipher([u8; 0]);
    #[repr(C)]
    pub(super) struct EvpCipherCtx([u8; 0]);

    pub(super) const CTRL_AEAD_GET_TAG: c_int = 0x10;
    pub(super) const CTRL_AEAD_SET_TAG: c_int = 0x11;

    unsafe extern "C" {
        #[link_name = "openssl_peer_EVP_CIPHER_fetch"]
        pub(super) fn cipher_fetch(
            library: *mut c_void,
            name: *const c_char,
            properties: *const c_char,
        ) -> *mut EvpCipher;
        #[link_name = "openssl_peer_EVP_CIPHER_free"]
        pub(super) fn cipher_free(cipher: *mut EvpCipher);
        #[link_name = "openssl_peer_EVP_CIPHER_CTX_new"]
        pub(super) fn ctx_new() -> *mut EvpCipherCtx;
        #[link_name = "openssl_peer_EVP_CIPHER_CTX_free"]
        pub(super) fn ctx_free(ctx: *mut EvpCipherCtx);
        #[link_name = "openssl_peer_EVP_CIPHER_CTX_copy"]
        pub(super) fn ctx_copy(to: *mut EvpCipherCtx, from: *const EvpCipherCtx) -> c_int;
        #[link_name = "openssl_peer_EVP_CIPHER_CTX_ctrl"]
        pub(super) fn ctx_ctrl(
            ctx: *mut EvpCipherCtx,
            command: c_int,
            len: c_int,
            data: *mut c_void,
        ) -> c_int;
        #[link_name = "openssl_peer_EVP_CipherInit_ex2"]
        pub(super) fn cipher_init(
            ctx: *mut EvpCipherCtx,
            cipher: *const EvpCipher,
            key: *const u8,
            nonce: *const u8,
            encrypt: c_int,
            params: *const c_void,
        ) -> c_int;
        #[link_name = "openssl_peer_EVP_CipherUpdate"]
        pub(super) fn cipher_update(
            ctx: *mut EvpCipherCtx,
            out: *mut u8,
            out_len: *mut c_int,
            input: *const u8,
            in_len: c_int,
        ) -> c_int;
        #[link_name = "openssl_peer_EVP_CipherFinal_ex"]
        pub(super) fn cipher_final(
            ctx: *mut EvpCipherCtx,
            out: *mut u8,
            out_len: *mut c_int,
        ) -> c_int;
    }
}

/// The peer's work for `cipher`, if it has it.
pub(super) fn offering(cipher: PeerAlgorithm, key: &[u8]) -> Option<Peer> {
    let (name, key_len) = match cipher {
        PeerAlgorithm::Aes128GcmSiv => (c"AES-128-GCM-SIV", 16),
        PeerAlgorithm::Aes256GcmSiv => (c"AES-256-GCM-SIV", 32),
        PeerAlgorithm::Aes128Gcm => (c"AES-128-GCM", 16),
        PeerAlgorithm::Aes256Gcm => (c"AES-256-GCM", 32),
        PeerAlgorithm::ChaCha20Poly1305 => (c"ChaCha20-Poly1305", 32),
        PeerAlgorithm::AesSiv512 => (c"AES-256-SIV", 64),
        _ => return None,
    };
    assert_eq!(key.len(), key_len);
    let key = Key { seal: Context::new(name, key, 1), open: Context::new(name, key, 0) };
    Some(match cipher {
        PeerAlgorithm::AesSiv512 => ("OpenSSL", Box::new(OneAtATime(Siv::new(key)))),
        PeerAlgorithm::ChaCha20Poly1305 => ("OpenSSL", Box::new(OneAtATime(Narrow(key)))),
        _ => ("OpenSSL", Box::new(OneAtATime(key))),
    })
}

const TAG_LEN: usize = 16;

/// A key has one context for each direction, set up once.
struct Key {
    seal: Context,
    open: Context,
}

/// An EVP_CIPHER_CTX that we own.
struct Context(NonNull<ffi::EvpCipherCtx>);

impl Context {
    /// Without a cipher.
    fn empty() -> Self {
        // SAFETY: nothing is asked of the function but a new context.
        let ctx = NonNull::new(unsafe { ffi::ctx_new() });
        Self(ctx.expect("EVP_CIPHER_CTX_new finds memory"))
    }

    /// `key` has the length that the cipher called `name` takes.
    fn new(name: &CStr, key: &[u8], encrypt: c_int) -> Self {
        let ctx = Self::empty();
        // SAFETY: null means the default library context and no properties; the
        // name ends in a null byte. The context keeps its own reference to the
        // cipher, so ours is given back at once. The key is as long as the
        // cipher reads, by this function's contract; no nonce is set yet.
        unsafe {
            let cipher = ffi::cipher_fetch(ptr::null_mut(), name.as_ptr(), ptr::null());
            assert!(!cipher.is_null(), "OpenSSL does not know {name:?}");
            let done = ffi::cipher_init(
                ctx.0.as_ptr(),
                cipher,
                key.as_ptr(),
                ptr::null(),
                encrypt,
                ptr::null(),
            );
            ffi::cipher_free(cipher);
            assert_eq!(done, 1, "EVP_CipherInit_ex2 fails");
        }
        ctx
    }

    /// Starts a message: the key stays, the direction too (-1).
    fn start(&mut self, nonce: &[u8; 12]) {
        let (ctx, same) = (self.0.as_ptr(), -1);
        // SAFETY: the context lives and has a cipher and a key; the cipher reads
        // 12 bytes of nonce.
        let done = unsafe {
            ffi::cipher_init(ctx, ptr::null(), ptr::null(), nonce.as_ptr(), same, ptr::null())
        };
        assert_eq!(done, 1, "EVP_CipherInit_ex2 does not take the nonce");
    }

    /// Starts a message: becomes a copy of a context that has its key.
    fn start_as(&mut self, keyed: &Self) {
        // SAFETY: both contexts live, and are two.
        let done = unsafe { ffi::ctx_copy(self.0.as_ptr(), keyed.0.as_ptr()) };
        assert_eq!(done, 1, "EVP_CIPHER_CTX_copy fails");
    }

    /// Gives the AAD, after dropping the previous message's: OpenSSL 3.6.3 keeps
    /// that with a new nonce, and an empty update is its way to forget it.
    fn aad(&mut self, aad: &[u8]) {
        self.update_aad(&[]);
        if !aad.is_empty() {
            self.update_aad(aad);
        }
    }

    fn update_aad(&mut self, aad: &[u8]) {
        let (mut written, len) = (0, c_len(aad));
        // SAFETY: the context lives; no output makes the input AAD, which is
        // readable for its length and not null, even if it is empty.
        let done = unsafe {
            let out = ptr::null_mut();
            ffi::cipher_update(self.0.as_ptr(), out, &mut written, aad.as_ptr(), len)
        };
        assert_eq!(done, 1, "EVP_CipherUpdate does not take the AAD");
    }

    /// Encrypts or decrypts in place; false if the tag, set before, is wrong.
    fn body(&mut self, in_out: &mut [u8]) -> bool {
        let (mut written, len) = (0, c_len(in_out));
        let ctx = self.0.as_ptr();
        let bytes = in_out.as_mut_ptr();
        // SAFETY: the context lives; input and output are the same buffer, which
        // is allowed, and final writes nothing for a cipher without padding.
        unsafe {
            ffi::cipher_update(ctx, bytes, &mut written, bytes, len) == 1
                && ffi::cipher_final(ctx, bytes, &mut written) == 1
        }
    }

    /// Reads or sets the tag.
    fn tag(&mut self, command: c_int, tag: &mut [u8; TAG_LEN]) {
        let data = tag.as_mut_ptr().cast();
        // SAFETY: the context lives; both commands read or write the tag's 16 bytes.
        let done = unsafe { ffi::ctx_ctrl(self.0.as_ptr(), command, 16, data) };
        assert_eq!(done, 1, "EVP_CIPHER_CTX_ctrl fails on the tag");
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context came from EVP_CIPHER_CTX_new and is freed once.
        unsafe { ffi::ctx_free(self.0.as_ptr()) }
    }
}

fn c_len(bytes: &[u8]) -> c_int {
    c_int::try_from(bytes.len()).expect("a length that OpenSSL takes in one call")
}

impl Aead for Key {
    fn seal(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, tag) = split::<TAG_LEN>(message);
        self.seal.start(nonce.try_into().expect("a 12-byte nonce"));
        self.seal.aad(aad);
        assert!(self.seal.body(in_out), "OpenSSL does not seal");
        self.seal.tag(ffi::CTRL_AEAD_GET_TAG, tag);
    }

    fn open(&mut self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<TAG_LEN>(message);
        self.open.start(nonce.try_into().expect("a 12-byte nonce"));
        self.open.tag(ffi::CTRL_AEAD_SET_TAG, tag);
        self.open.aad(aad);
        self.open.body(in_out)
    }
}

/// AES-SIV. A context serves one message, so each message gets a copy of a context that has its
/// key. Giving a context its key again, the interface's other way, is slower.
struct Siv {
    keyed: Key,
    message: Context,
}

impl Siv {
    fn new(keyed: Key) -> Self {
        let message = Context::empty();
        Self { keyed, message }
    }
}

impl Aead for Siv {
    fn seal(&mut self, _nonce: &[u8], aad: &[u8], message: &mut [u8]) {
        let (in_out, tag) = split::<TAG_LEN>(message);
        let context = &mut self.message;
        context.start_as(&self.keyed.seal);
        context.update_aad(aad);
        assert!(context.body(in_out), "OpenSSL does not seal");
        context.tag(ffi::CTRL_AEAD_GET_TAG, tag);
    }

    fn open(&mut self, _nonce: &[u8], aad: &[u8], message: &mut [u8]) -> bool {
        let (in_out, tag) = split::<TAG_LEN>(message);
        let context = &mut self.message;
        context.start_as(&self.keyed.open);
        context.tag(ffi::CTRL_AEAD_SET_TAG, tag);
        context.update_aad(aad);
        context.body(in_out)
    }
}
