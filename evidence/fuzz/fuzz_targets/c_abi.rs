//! The C interface with any algorithm number, and with buffers of any length anywhere in one piece
//! of memory: they overlap, end early and lie inside each other. A call returns a status, writes
//! only into its outputs, and its sealed messages open again.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka_ffi::{algorithm, error, key, kuznyechik, many, message, status};
use std::ffi::CStr;
use std::ops::Range;
use std::ptr;

/// The start of a buffer, and its length in bytes; both are cut to the memory.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Place {
    start: u16,
    len: u16,
    /// A caller that forgot the buffer, one time in 256.
    null: u8,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Call {
    Seal,
    Open,
    SealWithNonce,
    OpenWithNonce,
    SealDetached,
    OpenDetached,
    SealBatch,
    OpenBatch,
    EncryptBlocks,
    DecryptBlocks,
    ApplyKeystream,
    OmacTag,
    SealWithList,
    OpenWithList,
    SealDetachedWithList,
}

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    algorithm: u8,
    call: Call,
    nonce: Place,
    aad: Place,
    text: Place,
    output: Place,
    tag: Place,
    /// Use the lengths that the interface asks for, so that calls succeed often.
    right_lengths: bool,
    /// Read and write at one place.
    in_place: bool,
    /// The ends of a batch's messages.
    offsets: [u8; 4],
    memory: &'a [u8],
}

/// One of the caller's buffers, in the memory that all share.
#[derive(Clone)]
struct Buffer {
    start: *mut u8,
    range: Range<usize>,
}

impl Buffer {
    fn new(memory: &mut [u8], place: Place, len: Option<usize>) -> Self {
        let start = usize::from(place.start).min(memory.len());
        let len = len.unwrap_or(usize::from(place.len));
        let range = start..start.saturating_add(len).min(memory.len());
        if place.null == 0xff {
            return Self { start: ptr::null_mut(), range };
        }
        Self { start: memory.as_mut_ptr().wrapping_add(start), range }
    }

    fn len(&self) -> usize {
        self.range.len()
    }
}

/// As long as the longest key.
const KEY: [u8; 64] = [0x42; 64];

/// The lengths of key, nonce and tag, and whether the tag is first; 0 for an unknown algorithm.
fn lens_of(number: u32) -> [usize; 4] {
    // SAFETY: null, or static.
    let info = unsafe { algorithm::sivka_inspect_algorithm(number).as_ref() };
    info.map_or([0; 4], |it| {
        let tag_first = usize::from(it.tag_first == 1);
        [it.key_len, it.nonce_len, it.tag_len, tag_first]
    })
}

fn new_key(number: u32) -> *mut key::Key {
    let mut made = ptr::null_mut();
    let len = lens_of(number)[0];
    // SAFETY: `KEY` has at least `len` bytes, and `made` is written to.
    let status = unsafe { key::sivka_key_new(number, KEY.as_ptr(), len, &raw mut made) };
    assert_eq!(status == status::SIVKA_OK, !made.is_null(), "{status}");
    made
}

/// What opening makes of what was sealed, in memory of its own.
fn opened(key: *const key::Key, nonce: &[u8], aad: &[u8], text: &[u8], tag: &[u8]) -> Vec<u8> {
    let mut plaintext = vec![0xa5; text.len()];
    let given = message::Message {
        nonce: nonce.as_ptr(),
        nonce_len: nonce.len(),
        aad: aad.as_ptr(),
        aad_len: aad.len(),
        input: text.as_ptr(),
        input_len: text.len(),
        output: plaintext.as_mut_ptr(),
        output_len: plaintext.len(),
        tag: tag.as_ptr().cast_mut(),
        tag_len: tag.len(),
        ..message::Message::default()
    };
    // SAFETY: every pointer comes from a slice of the length beside it.
    let status = unsafe { message::sivka_open(key, &raw const given, ptr::null_mut()) };
    assert_eq!(status, status::SIVKA_OK, "what was sealed does not open");
    plaintext
}

/// The status has a message, and a failure names its argument in a short text.
fn explained(status: i32) {
    // SAFETY: the message is static and ends with a zero.
    let message = unsafe { CStr::from_ptr(status::sivka_status_message(status)) };
    assert!(!message.is_empty(), "{status}");
    // SAFETY: a record is never null, and its detail ends with a zero.
    let detail = unsafe { CStr::from_ptr((*error::sivka_last_error()).detail) };
    assert!(detail.to_str().is_ok(), "{detail:?}");
}

/// Bytes outside `outputs` are as they were.
fn unchanged(before: &[u8], after: &[u8], outputs: &[&Buffer]) {
    for (i, (before, after)) in before.iter().zip(after).enumerate() {
        let written = outputs.iter().any(|output| output.range.contains(&i));
        assert!(written || before == after, "byte {i} was written");
    }
}

/// Calls a function with these buffers, and with the arguments in brackets.
macro_rules! call {
    ($f:path [$($done:expr,)*]) => {
        // SAFETY: a pointer is null or points to so many bytes of `memory`, which is not otherwise
        // borrowed, or of `KEY`; the arrays beside it are as long as the count asks; a handle is
        // alive or null.
        unsafe { $f($($done),*) }
    };
    ($f:path [$($done:expr,)*] ($one:expr) $($rest:tt)*) => {
        call!($f [$($done,)* $one,] $($rest)*)
    };
    ($f:path [$($done:expr,)*] $buffer:ident $($rest:tt)*) => {
        call!($f [$($done,)* $buffer.start, $buffer.len(),] $($rest)*)
    };
}

fuzz_target!(|input: Input| {
    let mut memory = input.memory.to_vec();
    let before = memory.clone();
    let number = u32::from(input.algorithm) % 18;
    let key = new_key(number);
    let right = |len: usize| input.right_lengths.then_some(len);
    let [_, nonce_len, tag_len, tag_first] = lens_of(number);
    let text_len = usize::from(input.text.len);
    let (with_nonce, with_tag, with_list) = match input.call {
        Call::Seal | Call::Open => (false, false, false),
        Call::SealWithNonce | Call::OpenWithNonce => (true, false, false),
        Call::SealWithList | Call::OpenWithList => (false, false, true),
        Call::SealDetachedWithList => (false, true, true),
        _ => (true, true, false),
    };
    let around = if with_nonce { 0 } else { nonce_len } + if with_tag { 0 } else { tag_len };
    let output_len = match input.call {
        Call::Open | Call::OpenWithNonce | Call::OpenWithList => text_len.saturating_sub(around),
        _ => text_len + around,
    };
    let batch_count = input.offsets.len() - 1;
    let is_batch = matches!(input.call, Call::SealBatch | Call::OpenBatch);
    let per_call = if is_batch { batch_count } else { 1 };
    let nonce = Buffer::new(&mut memory, input.nonce, right(nonce_len * per_call));
    let aad = Buffer::new(&mut memory, input.aad, None);
    let text = Buffer::new(&mut memory, input.text, None);
    let output = if input.in_place { input.text } else { input.output };
    let output = Buffer::new(&mut memory, output, right(output_len));
    let tag = Buffer::new(&mut memory, input.tag, right(tag_len * per_call));
    let mut offsets = input.offsets.map(usize::from);
    if input.right_lengths {
        offsets.sort_unstable();
    }
    let mut statuses = [status::SIVKA_OK; 3];
    let mut written = usize::MAX;
    // The list has one string, as the other calls have.
    let list = [aad.start.cast_const(); 1];
    let lens = [aad.len(); 1];
    let mut handle = ptr::null_mut();
    let key_start = KEY.as_ptr();
    let part = |is_given, buffer: &Buffer| match is_given {
        true => (buffer.start, buffer.len()),
        false => (ptr::null_mut(), 0),
    };
    let nonce_part = part(with_nonce, &nonce);
    let aad_part = part(!with_list, &aad);
    let tag_part = part(with_tag, &tag);
    let given = message::Message {
        nonce: nonce_part.0,
        nonce_len: nonce_part.1,
        aad: aad_part.0,
        aad_len: aad_part.1,
        aads: if with_list { list.as_ptr() } else { ptr::null() },
        aad_lens: lens.as_ptr(),
        aad_count: usize::from(with_list),
        input: text.start,
        input_len: text.len(),
        output: output.start,
        output_len: output.len(),
        tag: tag_part.0,
        tag_len: tag_part.1,
    };
    let batch = many::Messages {
        count: batch_count,
        nonces: nonce.start,
        nonces_len: nonce.len(),
        aads: aad.start,
        aads_len: aad.len(),
        texts: output.start,
        texts_len: output.len(),
        text_offsets: offsets.as_ptr(),
        tags: tag.start,
        tags_len: tag.len(),
        statuses: statuses.as_mut_ptr(),
        ..many::Messages::default()
    };
    let status = match input.call {
        Call::Seal
        | Call::SealWithNonce
        | Call::SealDetached
        | Call::SealWithList
        | Call::SealDetachedWithList => {
            call!(message::sivka_seal [] (key) (&raw const given) (&raw mut written))
        }
        Call::Open | Call::OpenWithNonce | Call::OpenDetached | Call::OpenWithList => {
            call!(message::sivka_open [] (key) (&raw const given) (&raw mut written))
        }
        Call::SealBatch => call!(many::sivka_seal_many [] (key) (&raw const batch)),
        Call::OpenBatch => call!(many::sivka_open_many [] (key) (&raw const batch)),
        Call::EncryptBlocks | Call::DecryptBlocks => {
            let made =
                call!(kuznyechik::sivka_kuznyechik_new [] (key_start) (32) (&raw mut handle));
            assert_eq!(made, status::SIVKA_OK);
            let status = if input.call == Call::EncryptBlocks {
                call!(kuznyechik::sivka_kuznyechik_encrypt_blocks [] (handle) output)
            } else {
                call!(kuznyechik::sivka_kuznyechik_decrypt_blocks [] (handle) output)
            };
            call!(kuznyechik::sivka_kuznyechik_free [] (handle));
            status
        }
        Call::ApplyKeystream => {
            let mut ctr = ptr::null_mut();
            let made = call!(
                kuznyechik::ctr::sivka_kuznyechik_ctr_new []
                (key_start) (32) (key_start) (8) (16) (&raw mut ctr)
            );
            assert_eq!(made, status::SIVKA_OK);
            let status =
                call!(kuznyechik::ctr::sivka_kuznyechik_ctr_apply_keystream [] (ctr) output);
            call!(kuznyechik::ctr::sivka_kuznyechik_ctr_free [] (ctr));
            status
        }
        Call::OmacTag => {
            let mut omac = ptr::null_mut();
            let made = call!(
                kuznyechik::omac::sivka_kuznyechik_omac_new [] (key_start) (32) (8) (&raw mut omac)
            );
            assert_eq!(made, status::SIVKA_OK);
            explained(call!(kuznyechik::omac::sivka_kuznyechik_omac_update [] (omac) text));
            let status = call!(kuznyechik::omac::sivka_kuznyechik_omac_finish [] (omac) output);
            call!(kuznyechik::omac::sivka_kuznyechik_omac_free [] (omac));
            status
        }
    };
    explained(status);
    statuses.into_iter().for_each(explained);
    let seals_apart =
        matches!(input.call, Call::SealDetached | Call::SealBatch | Call::SealDetachedWithList);
    let outputs: &[&Buffer] = if seals_apart { &[&output, &tag] } else { &[&output] };
    unchanged(&before, &memory, outputs);
    if status == status::SIVKA_OK {
        let at = |buffer: &Buffer| &before[buffer.range.clone()];
        let sealed = memory.get(output.range.start..).unwrap_or_default();
        match input.call {
            Call::Seal | Call::SealWithNonce | Call::SealWithList => {
                let sealed = &sealed[..written];
                let (nonce, sealed) = match input.call {
                    Call::Seal => sealed.split_at(nonce_len),
                    Call::SealWithList => (&[][..], sealed),
                    _ => (at(&nonce), sealed),
                };
                let (ciphertext, tag) = if tag_first == 1 {
                    let (tag, ciphertext) = sealed.split_at(tag_len);
                    (ciphertext, tag)
                } else {
                    sealed.split_at(text.len())
                };
                assert_eq!(opened(key, nonce, at(&aad), ciphertext, tag), at(&text));
            }
            Call::SealDetached | Call::SealDetachedWithList => {
                let nonce = if input.call == Call::SealDetached { at(&nonce) } else { &[] };
                let (ciphertext, tag) = (&sealed[..text.len()], &memory[tag.range.clone()]);
                assert_eq!(opened(key, nonce, at(&aad), ciphertext, tag), at(&text));
            }
            Call::SealBatch => {
                let nonces = at(&nonce);
                let tags = &memory[tag.range.clone()];
                for (i, message) in offsets.windows(2).enumerate() {
                    let nonce = &nonces[i * nonce_len..][..nonce_len];
                    let tag = &tags[i * tag_len..][..tag_len];
                    let ciphertext = &sealed[message[0]..message[1]];
                    let plaintext = &at(&output)[message[0]..message[1]];
                    assert_eq!(opened(key, nonce, at(&aad), ciphertext, tag), plaintext);
                }
            }
            _ => {}
        }
    }
    // SAFETY: made above, freed once; null is allowed.
    unsafe { key::sivka_key_free(key) };
});
