//! The C interface: its way to the calls of each algorithm, of keysets, and of Kuznyechik.
//!
//! What the calls do with a message is watched where Rust makes them; here it is what they do
//! before and after: the checks of the arguments, the statuses, the copies.

mod column;
// Not for valgrind: an identity is read from text, letter by letter.
#[cfg(all(target_os = "linux", not(feature = "ctgrind")))]
mod file;
mod kuznyechik;

use super::aead::is_variant;
use super::{AAD, Call, Depth, SHORT_AAD, watched};
use crate::secret::{Secrets, Seed, publish};
use sivka::{Algorithm, NonceRule};
use sivka_ffi::batch::*;
use sivka_ffi::key::*;
use sivka_ffi::keyset::form::*;
use sivka_ffi::keyset::info::sivka_keyset_primitive;
use sivka_ffi::keyset::key::*;
use sivka_ffi::keyset::{Keyset, sivka_keyset_free};
use sivka_ffi::seal::list::*;
use sivka_ffi::seal::*;
use sivka_ffi::status::{SIVKA_ERROR_BATCH, SIVKA_ERROR_OPEN, SIVKA_OK, Status};
use sivka_keyset::{KeyType, OutputPrefix};
use std::ffi::CString;
use std::ptr;

/// Where each text of a batch begins and ends: five of one length, and others.
const BOUNDS: [usize; COUNT + 1] = [0, 20, 40, 60, 80, 100, 100, 250];

/// The length of all of them, which together are one message.
const LEN: usize = BOUNDS[COUNT];

/// Where the AAD of each message begins and ends.
const AAD_BOUNDS: [usize; COUNT + 1] = [0, 9, 9, 14, 20, 31, 36, 40];

const COUNT: usize = 7;

/// What C's calls work on.
struct Given {
    key: Handle,
    /// That of a keyset, if the algorithm has one.
    of_keyset: Handle,
    nonces: Vec<u8>,
    text: Vec<u8>,
    tags: Vec<u8>,
    statuses: [Status; COUNT],
    /// A sealed message with its nonce and its tag, and how long it is.
    sealed: Vec<u8>,
    sealed_len: usize,
    nonce_len: usize,
    tag_len: usize,
    column: column::Given,
}

type CCall = fn(&mut Given) -> Status;

/// Two calls of a name, one to seal and one to open, their arguments in words.
macro_rules! calls {
    ($($name:literal = $seal:ident($($given:ident)*), $open:ident($($back:ident)*);)*) => {
        const CALLS: &[(&str, CCall, CCall)] = &[
            $((
                $name,
                |given| arguments!(given, $seal [] $($given)*),
                |given| arguments!(given, $open [] $($back)*),
            ),)*
        ];
    };
}

/// The arguments that a word stands for, those of the words before it done.
macro_rules! arguments {
    ($g:ident, $f:ident [$($done:expr,)*]) => {
        // SAFETY: each pointer is that of a live handle, array or vector whose length is the
        // next argument, or as long as the interface says for `COUNT` messages.
        unsafe { $f($($done),*) }
    };
    ($g:ident, $f:ident [$($d:expr,)*] key $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.key.0,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] of_keyset $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.of_keyset.0,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] count $($w:ident)*) => {
        arguments!($g, $f [$($d,)* COUNT,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] nonce $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.nonces.as_ptr(), $g.nonce_len,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] nonces $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.nonces.as_ptr(), $g.nonces.len(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] aad $($w:ident)*) => {
        arguments!($g, $f [$($d,)* AAD.as_ptr(), SHORT_AAD,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] aads $($w:ident)*) => {
        arguments!($g, $f [$($d,)* aads().as_ptr(), lens(&AAD_BOUNDS).as_ptr(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] offset_aads $($w:ident)*) => {
        arguments!($g, $f [$($d,)* AAD.as_ptr(), AAD.len(), AAD_BOUNDS.as_ptr(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] text $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.text.as_ptr(), LEN,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] opened $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.text.as_mut_ptr(), LEN,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] texts $($w:ident)*) => {
        arguments!($g, $f [$($d,)* texts($g).as_ptr(), lens(&BOUNDS).as_ptr(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] offset_texts $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.text.as_mut_ptr(), LEN, BOUNDS.as_ptr(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] into $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.sealed.as_mut_ptr(), $g.sealed.len(), &raw mut $g.sealed_len,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] sealed $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.sealed.as_ptr(), $g.sealed_len,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] no_len $($w:ident)*) => {
        arguments!($g, $f [$($d,)* ptr::null_mut(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] into_body $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.sealed.as_mut_ptr(), LEN,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] body $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.sealed.as_ptr(), LEN,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] tag $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.tags.as_mut_ptr(), $g.tag_len,] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] tags $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.tags.as_mut_ptr(), $g.tags.len(),] $($w)*)
    };
    ($g:ident, $f:ident [$($d:expr,)*] statuses $($w:ident)*) => {
        arguments!($g, $f [$($d,)* $g.statuses.as_mut_ptr(),] $($w)*)
    };
}

calls! {
    "with a random nonce" =
        sivka_seal(key aad text into),
        sivka_open(key aad sealed opened no_len);
    "with a nonce" =
        sivka_seal_with_nonce(key nonce aad text into),
        sivka_open_with_nonce(key nonce aad sealed opened no_len);
    "with the tag apart" =
        sivka_seal_detached(key nonce aad text into_body tag),
        sivka_open_detached(key nonce aad body tag opened);
    "with a list" =
        sivka_seal_with_list(key aads count text into),
        sivka_open_with_list(key aads count sealed opened no_len);
    "with a list and the tag apart" =
        sivka_seal_detached_with_list(key aads count text into_body tag),
        sivka_open_detached_with_list(key aads count body tag opened);
    "a batch" =
        sivka_seal_batch(key count nonces aads texts tags statuses),
        sivka_open_batch(key count nonces aads texts tags statuses);
    "a contiguous batch" =
        sivka_seal_batch_contiguous(key count nonces offset_aads offset_texts tags statuses),
        sivka_open_batch_contiguous(key count nonces offset_aads offset_texts tags statuses);
    "with a keyset" =
        sivka_seal(of_keyset aad text into),
        sivka_open(of_keyset aad sealed opened no_len);
}

/// Whether an algorithm has the call.
fn has(algorithm: &Algorithm, call: &str) -> bool {
    match call {
        "with a random nonce" => algorithm.nonce_rule() != NonceRule::Counter,
        "with a list" | "with a list and the tag apart" => algorithm.name().starts_with("AES-SIV"),
        "with a keyset" => key_type(algorithm).is_some(),
        _ => true,
    }
}

/// The type of the algorithm's keys in a keyset, if the calls of keysets are made with it.
fn key_type(algorithm: &Algorithm) -> Option<KeyType> {
    match algorithm.name() {
        "AES-256-GCM-SIV" => Some(KeyType::AesGcmSiv),
        "AES-SIV-512" => Some(KeyType::AesSiv),
        _ => None,
    }
}

pub(super) fn add(calls: &mut Vec<Call>) {
    let algorithms = Algorithm::all().iter().filter(|a| !is_variant(a));
    for algorithm in algorithms {
        // The interface does the same for all algorithms; lists are another matter.
        let depth = match (algorithm.name(), key_type(algorithm)) {
            (_, Some(_)) => Depth::Brief,
            ("Kuznyechik-MGM" | "XChaCha20-BLAKE2b-SIV", _) => Depth::Usual,
            _ => Depth::Full,
        };
        calls.push(set_up(algorithm).at_least(depth));
        for (what, seal, open) in CALLS.iter().chain(&[column::CALL]) {
            if has(algorithm, what) {
                add_endings(calls, algorithm, depth, (what, *seal, *open));
            }
        }
    }
    #[cfg(all(target_os = "linux", not(feature = "ctgrind")))]
    file::add(calls);
    kuznyechik::add(calls);
}

fn set_up(algorithm: &'static Algorithm) -> Call {
    Call::new(format!("C, {algorithm}: key set-up"), move |seed| {
        let secrets = seed.secrets();
        let bytes = secrets.bytes(algorithm.key_len());
        let keyset = keyset_of(algorithm, &secrets);
        let call = move || {
            drop(Handle::new(algorithm, &bytes));
            keyset.map(|bytes| with_keyset(&bytes, |keyset| (key_of(keyset), written(keyset))))
        };
        watched(call, drop)
    })
}

fn add_endings(
    calls: &mut Vec<Call>,
    algorithm: &'static Algorithm,
    depth: Depth,
    (what, seal, open): (&str, CCall, CCall),
) {
    let name = |verb| format!("C, {algorithm}: {verb} {what}");
    let sealing = Call::new(name("seal"), move |seed| {
        let mut given = Given::new(algorithm, seed);
        watched(
            move || (seal(&mut given), given),
            |(status, _)| assert_eq!(status, SIVKA_OK),
        )
    });
    calls.push(sealing.at_least(depth));
    let forgery = if what.contains("batch") || what.contains("column") {
        SIVKA_ERROR_BATCH
    } else {
        SIVKA_ERROR_OPEN
    };
    for (verb, expected) in [("open", SIVKA_OK), ("open, forged,", forgery)] {
        let opening = Call::new(name(verb), move |seed| {
            let mut given = Given::new(algorithm, seed);
            assert_eq!(seal(&mut given), SIVKA_OK);
            given.publish();
            if expected != SIVKA_OK {
                given.forge(seed);
            }
            watched(
                move || (open(&mut given), given),
                move |(status, _)| assert_eq!(status, expected),
            )
        });
        calls.push(opening.at_least(depth));
    }
}

impl Given {
    fn new(algorithm: &Algorithm, seed: Seed) -> Self {
        let secrets = seed.secrets();
        let (nonce_len, tag_len) = (algorithm.nonce_len(), algorithm.tag_len());
        let nonces = (0..COUNT).flat_map(|i| vec![i as u8; nonce_len]);
        let key = Handle::new(algorithm, &secrets.bytes(algorithm.key_len()));
        let keyset = keyset_of(algorithm, &secrets);
        Self {
            key,
            of_keyset: keyset.map_or(Handle(ptr::null_mut()), |b| with_keyset(&b, key_of)),
            nonces: nonces.collect(),
            text: secrets.bytes(LEN),
            tags: vec![0; COUNT * tag_len],
            statuses: [SIVKA_OK; COUNT],
            sealed: vec![0; LEN + (nonce_len + tag_len).max(33)],
            sealed_len: 0,
            nonce_len,
            tag_len,
            column: column::Given::default(),
        }
    }

    /// Says that anybody may see what was sealed. A batch is sealed where its texts are.
    fn publish(&self) {
        publish(self.text.as_slice());
        publish(self.sealed.as_slice());
        publish(self.tags.as_slice());
        publish(self.column.rows.as_slice());
    }

    /// Changes a bit of the tag or, where that comes first, of the text.
    fn forge(&mut self, seed: Seed) {
        let place = seed.place(16);
        self.tags[place] ^= 0x40;
        if let Some(last) = self.sealed_len.checked_sub(1) {
            self.sealed[last - place] ^= 0x40;
        }
        if let Some(byte) = self.column.rows.get_mut(self.nonce_len + place) {
            *byte ^= 0x40;
        }
    }
}

fn aads() -> [*const u8; COUNT] {
    std::array::from_fn(|i| AAD[AAD_BOUNDS[i]..].as_ptr())
}

fn texts(given: &mut Given) -> [*mut u8; COUNT] {
    let start = given.text.as_mut_ptr();
    std::array::from_fn(|i| start.wrapping_add(BOUNDS[i]))
}

fn lens(bounds: &[usize; COUNT + 1]) -> [usize; COUNT] {
    std::array::from_fn(|i| bounds[i + 1] - bounds[i])
}

/// A key of C's, freed at the end.
struct Handle(*mut Key);

impl Handle {
    fn new(algorithm: &Algorithm, key: &[u8]) -> Self {
        let name = CString::new(algorithm.name()).expect("a name has no zero");
        let mut made = ptr::null_mut();
        // SAFETY: a C string, the bytes of a key and a place for a handle.
        let status =
            unsafe { sivka_key_new_by_name(name.as_ptr(), key.as_ptr(), key.len(), &raw mut made) };
        assert_eq!(status, SIVKA_OK);
        Self(made)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made above, and freed here only.
        unsafe { sivka_key_free(self.0) };
    }
}

/// One key in binary.
fn keyset_of(algorithm: &Algorithm, secrets: &Secrets) -> Option<Vec<u8>> {
    let key = secrets.bytes(algorithm.key_len());
    let id = Some(0x0102_0304);
    let keyset = sivka_keyset::Keyset::from_key(key_type(algorithm)?, &key, OutputPrefix::Tink, id);
    let bytes = keyset.and_then(|keyset| keyset.to_insecure_binary());
    Some(bytes.expect("a key of that length").to_vec())
}

/// Reads a keyset, and frees it when it was used.
fn with_keyset<T>(bytes: &[u8], used: impl FnOnce(*mut Keyset) -> T) -> T {
    let (mut made, form) = (ptr::null_mut(), SIVKA_KEYSET_BINARY);
    // SAFETY: so many bytes, and a place for a handle, which is freed here only.
    unsafe {
        let status = sivka_keyset_from_insecure(bytes.as_ptr(), bytes.len(), form, &raw mut made);
        assert_eq!(status, SIVKA_OK);
        let result = used(made);
        sivka_keyset_free(made);
        result
    }
}

fn key_of(keyset: *mut Keyset) -> Handle {
    let mut made = ptr::null_mut();
    // SAFETY: a live keyset, and a place for a handle.
    let status = unsafe { sivka_keyset_key(keyset, sivka_keyset_primitive(keyset), &raw mut made) };
    assert_eq!(status, SIVKA_OK);
    Handle(made)
}

fn written(keyset: *mut Keyset) -> Vec<u8> {
    let (mut written, mut len) = (vec![0; 1024], 0);
    let (start, form) = (written.as_mut_ptr(), SIVKA_KEYSET_BINARY);
    // SAFETY: a live keyset, and so much room.
    let status = unsafe { sivka_keyset_to_insecure(keyset, form, start, 1024, &raw mut len) };
    assert_eq!(status, SIVKA_OK);
    written.truncate(len);
    written
}
