//! Sivka's file format: chunked, committing, seekable, parallel.
//!
//! A file is a header with 1 to 64 key slots, which stands twice, of 2048 bytes or more, and a
//! payload in C2SP's chunked encryption (<https://c2sp.org/chunked-encryption>). The normative text is
//! `docs/spec/file-format-v1.md` in the repository; section numbers in this crate's
//! documentation are its.
//!
//! | to | use |
//! |---|---|
//! | seal, open or check a whole stream, on every core | [`seal`], [`open`], [`verify`] |
//! | see what a file says without a key | [`inspect`] |
//! | seal what a program writes, open as it reads | [`Writer`], [`Reader`] |
//! | read any part of the plaintext | [`SeekReader`] |
//! | add, remove, replace keys of a file on disk without touching the payload | [`change_slots`] |
//! | the same in anything that can be read, written and sought | [`add_slot`], [`remove_slot`], [`replace_slot`], [`Header`] |
//! | recover a damaged file | [`salvage`] |
//! | write a file that is there whole or not at all | [`AtomicFile`] |
//! | replace a file while nobody else does | [`Turn`] |
//! | read a file on disk whose slots others change | [`SealedFile`] |
//! | seal for people by their public keys, and be one of them | [`Recipient`], [`Identity`] |
//!
//! # What it promises
//!
//! - No plaintext leaves before its chunk is authenticated; truncation, extension,
//!   reordering and any changed bit are errors.
//! - A file opens under one file key only, and a slot under one key or passphrase
//!   only: key commitment (CMT-1 of RFC 9771) with 128 bits of strength.
//! - A hostile file makes a reader use no more memory and time than [`OpenOptions`]
//!   allows: Argon2 costs are checked before anything is allocated.
//!
//! # What it does not
//!
//! - The length of the plaintext is not hidden, nor which key ids open a file.
//! - Sealing is randomised, and as a whole it does not resist misuse as one
//!   AES-GCM-SIV message does: with a generator that repeats, equal chunks at equal
//!   places show as equal. No scheme that seals a stream as it comes can do better.
//! - A file does not say who sealed it: anybody can who has a recipient's public key, or
//!   who can open the file. What a recipient's slot shows is its kind, not whose it is.
//! - Somebody who can read an old copy of a header keeps what its keys opened.
#![forbid(unsafe_code)]

mod atomic_file;
mod bech32;
mod chunk;
mod column_key;
mod cost;
mod derive;
mod encapsulation;
mod error;
mod header;
mod header_copy;
mod key_file;
mod key_text;
mod kind;
mod passphrase;
mod pipeline;
mod reader;
mod recipient;
mod rekey;
mod salvage;
mod seek;
mod slot;
mod slot_file;
mod stream;
mod suite;
mod verdict;
mod writer;
#[cfg(feature = "zstd")]
pub mod zstd;

pub use atomic_file::AtomicFile;
pub use chunk::{CHUNK_LEN, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
pub use cost::Argon2Cost;
pub use error::{AgeKeyError, Error, KeyFileError};
pub use header::{
    Copies, DamagedSlot, HEADER_LEN, Header, MAX_HEADER_LEN, MAX_SLOTS, Unlocked, VERSION,
    read_header,
};
pub use key_file::{KeyFile, KeyId, MAX_KEY_FILE_LEN, MAX_NAME_LEN};
pub use key_text::{is_key, is_key_text};
pub use kind::Kind;
pub use passphrase::Passphrase;
pub use reader::Reader;
pub use recipient::{Identity, Recipient};
pub use rekey::{add_slot, remove_slot, replace_slot};
pub use salvage::{Salvage, salvage};
pub use seek::SeekReader;
pub use slot::{Lock, SlotInfo, Unlock};
pub use slot_file::{
    SealedFile, Turn, change_slots, open_to_change, read_between_changes, read_head,
};
pub use stream::{Inspection, OpenOptions, SealOptions, Summary, inspect, open, seal, verify};
pub use suite::Suite;
pub use writer::Writer;

/// The README's examples, which use both crates.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../core/README.md")]
#[doc = include_str!("../README.md")]
struct Readme;
