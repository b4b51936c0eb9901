//! The C interface around the calls of the others. The work on messages is watched in Rust; here it
//! is C's own work before and after: the checks of the arguments, the statuses, the copies.

use super::{AAD, Call, Depth, ENDINGS, Ending, Of, SHORT_AAD, Watched, go_on, nonce_of, watched};
use crate::secret::{Seed, publish, say_sealed};
use sivka::Algorithm;
use sivka_ffi::algorithm::sivka_algorithm_from_name;
use sivka_ffi::file::*;
use sivka_ffi::key::*;
use sivka_ffi::keyset::form::*;
use sivka_ffi::keyset::sivka_keyset_free;
use sivka_ffi::memory::*;
use sivka_ffi::message::{Message, sivka_open, sivka_seal};
use sivka_ffi::status::{SIVKA_ERROR_OPEN, SIVKA_OK, Status};
use sivka_keyset::{KeyType, Keyset, OutputPrefix};
use std::ffi::CString;
use std::ptr::null_mut;
use zeroize::Zeroizing;

/// The length of a text in bytes.
const LEN: usize = 210;

/// The interface does the same for all algorithms; lengths and the order of parts differ.
const ALGORITHMS: [(&str, Depth); 3] = [
    ("AES-256-GCM-SIV", Depth::Brief),
    ("AES-SIV-512", Depth::Brief),
    ("Kuznyechik-MGM", Depth::Usual),
];

pub(super) fn add(calls: &mut Vec<Call>) {
    for ((name, depth), (ending, verb)) in
        ALGORITHMS.iter().flat_map(|row| ENDINGS.map(|ending| (*row, ending)))
    {
        let algorithm = Algorithm::find(name).expect("an algorithm's name");
        let prepare = move |seed| message(algorithm, ending, seed);
        let of = Of::Key(name, 1);
        calls.push(Call::new(format!("C, {name}: {verb} with a nonce"), of, prepare).at(depth));
    }
    let keyset = Of::Keyset("AES-256-GCM-SIV");
    calls.push(Call::new("C, keyset: read and write", keyset, read_and_write));
    let file = Of::File(super::Kind::KeyFile);
    let name = "C, file, KeyFile: seal and open";
    calls.push(Call::new(name, file, seal_and_open).at(Depth::Searched));
}

/// The memory of C's calls.
struct Given {
    algorithm: &'static Algorithm,
    key: Zeroizing<Vec<u8>>,
    text: Zeroizing<Vec<u8>>,
    sealed: Vec<u8>,
}

impl Given {
    /// Makes a key of C's, seals or opens, and frees the key.
    fn call(&mut self, opens: bool) -> Status {
        let name = CString::new(self.algorithm.name()).expect("a name has no zero");
        let nonce = nonce_of(0, self.algorithm.nonce_len());
        let (text, sealed) = (&mut self.text, &mut self.sealed);
        let mut message = Message {
            // One that is empty is given, too.
            nonce: nonce.as_ptr(),
            nonce_len: nonce.len(),
            aad: AAD.as_ptr(),
            aad_len: SHORT_AAD,
            input: text.as_ptr(),
            input_len: LEN,
            output: sealed.as_mut_ptr(),
            output_len: sealed.len(),
            ..Message::default()
        };
        if opens {
            (message.input, message.input_len) = (sealed.as_ptr(), sealed.len());
            (message.output, message.output_len) = (text.as_mut_ptr(), LEN);
        }
        let (key, len) = (self.key.as_ptr(), self.key.len());
        let (mut number, mut made, mut made_len) = (0, null_mut(), 0);
        // SAFETY: a C string, places for a number, for a handle, which is freed once, and for a
        // length; every other pointer is that of so many bytes as its length says.
        unsafe {
            let status = sivka_algorithm_from_name(name.as_ptr(), &raw mut number);
            assert_eq!(status, SIVKA_OK);
            let status = sivka_key_new(number, key, len, &raw mut made);
            assert_eq!(status, SIVKA_OK);
            let status = match opens {
                false => sivka_seal(made, &raw const message, &raw mut made_len),
                true => sivka_open(made, &raw const message, &raw mut made_len),
            };
            sivka_key_free(made);
            status
        }
    }
}

fn message(algorithm: &'static Algorithm, ending: Ending, seed: Seed) -> Watched {
    let secrets = seed.secrets();
    let mut given = Given {
        algorithm,
        key: secrets.bytes(algorithm.key_len()),
        text: secrets.bytes(LEN),
        sealed: vec![0; LEN + algorithm.tag_len()],
    };
    if ending != Ending::Seal {
        assert_eq!(given.call(false), SIVKA_OK);
        publish(given.sealed.as_slice());
    }
    let forged = ending == Ending::Forged;
    if forged {
        // A bit of the tag or, where that comes first, of the text.
        let last = given.sealed.len() - 1;
        given.sealed[last - seed.place(16)] ^= 0x40;
    }
    let expected = if forged { SIVKA_ERROR_OPEN } else { SIVKA_OK };
    let call = move || (given.call(ending != Ending::Seal), given);
    watched(call, move |(status, _)| assert_eq!(status, expected))
}

fn read_and_write(seed: Seed) -> Watched {
    let key = seed.secrets().bytes(32);
    let keyset = Keyset::from_key(KeyType::AesGcmSiv, &key, OutputPrefix::Tink, Some(0x0102_0304));
    let bytes = keyset.and_then(|keyset| keyset.to_insecure_binary());
    let (bytes, form) = (bytes.expect("a key of that length"), SIVKA_KEYSET_BINARY);
    let call = move || {
        let (mut made, mut written, mut len) = (null_mut(), Zeroizing::new([0; 1024]), 0);
        let (to, room) = (written.as_mut_ptr(), written.len());
        // SAFETY: so many bytes, memory for a handle, which is freed once, and an output of this
        // capacity.
        let statuses = unsafe {
            let read = sivka_keyset_from_insecure(bytes.as_ptr(), bytes.len(), form, &raw mut made);
            let wrote = sivka_keyset_to_insecure(made, form, to, room, &raw mut len);
            sivka_keyset_free(made);
            [read, wrote]
        };
        (statuses, len == bytes.len())
    };
    watched(call, |done| {
        go_on();
        assert_eq!(done, ([SIVKA_OK; 2], true));
    })
}

/// A key file is made, and a file is sealed and opened with it.
fn seal_and_open(seed: Seed) -> Watched {
    let secret = seed.secrets().bytes(32);
    let call = move || {
        let (mut keys, mut text, mut text_len) = (null_mut(), Zeroizing::new([0; 1024]), 0);
        let (mut sealed, mut opened) = (vec![0; 4096], [1; LEN]);
        let (key_text, room) = (text.as_mut_ptr().cast(), text.len());
        let (to, plain, none) = (sealed.as_mut_ptr(), opened.as_mut_ptr(), null_mut::<usize>());
        let (name, mut len) = (c"name".as_ptr(), 0);
        // SAFETY: so many bytes, an output of this capacity, memory for a handle, which is freed
        // once, and for lengths.
        let statuses = unsafe {
            let (key, key_len) = (secret.as_ptr(), secret.len());
            [
                sivka_key_file_from_bytes(key, key_len, name, key_text, room, &raw mut text_len),
                sivka_file_keys_new(&raw mut keys),
                sivka_file_keys_add_key_file(keys, key_text, text_len, none.cast(), 0),
                sivka_seal_memory(plain, LEN, to, sealed.len(), &raw mut len, keys, 0),
                sivka_open_memory(to, len, plain, LEN, none, keys),
            ]
        };
        // SAFETY: made above.
        unsafe { sivka_file_keys_free(keys) };
        sealed.truncate(len);
        (statuses, sealed)
    };
    watched(call, |(statuses, sealed)| {
        assert_eq!(statuses, [SIVKA_OK; 5]);
        say_sealed(&sealed);
    })
}
