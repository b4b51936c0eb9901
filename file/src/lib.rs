//! Sivka's file format: chunked, committing, seekable, parallel.
//!
//! A file is a header with 1 to 64 key slots, which stands twice, of 2048 bytes or more, and a
//! payload in C2SP's chunked encryption (<https://c2sp.org/chunked-encryption>).
//! `docs/spec/file-format-v1.md` in the repository is the normative text; this crate's
//! documentation quotes its section numbers.
//!
//! | to | use |
//! |---|---|
//! | seal | [`Writer`], an [`io::Write`](std::io::Write) |
//! | open, verify, read any part of the plaintext | [`Reader`], an [`io::Read`](std::io::Read) and [`io::Seek`](std::io::Seek) |
//! | see the public fields of a file without a key | [`Header`] |
//! | add, remove, replace keys of a file without touching the payload | [`change_slots`], [`change_slots_in`] |
//! | recover a damaged file | [`salvage`] |
//! | write a file that appears complete or not at all | [`AtomicFile`] |
//! | replace a file under a lock | [`FileLock`] |
//! | pack, list, unpack and salvage folders | the module `folder`, a feature |
//! | seal for other people's public keys, and open with your own | [`Recipient`], [`Identity`] |
//!
//! This program seals one file on disk into another, which appears when it is complete:
//!
//! ```
//! use sivka_file::{AtomicFile, KeyFile, Lock, SealOptions, Writer};
//! use std::fs::File;
//! use std::io::{self, BufReader};
//! use std::path::Path;
//!
//! fn seal(from: &Path, to: &Path, key: &Path) -> Result<(), Box<dyn std::error::Error>> {
//!     let key = KeyFile::load(key)?;
//!     let output = AtomicFile::create(to, None, false)?;
//!     let mut writer = Writer::new(output, &[Lock::KeyFile(&key)], &SealOptions::default())?;
//!     io::copy(&mut BufReader::with_capacity(1 << 20, File::open(from)?), &mut writer)?;
//!     writer.finish()?.commit()?;
//!     Ok(())
//! }
//! # let folder = tempfile::tempdir()?;
//! # let [from, to, key] = ["from", "to", "key"].map(|name| folder.path().join(name));
//! # std::fs::write(&from, "text")?;
//! # std::fs::write(&key, KeyFile::generate("laptop")?.to_text().as_bytes())?;
//! # seal(&from, &to, &key)?;
//! # assert!(to.exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Promises
//!
//! - No plaintext leaves before its chunk is authenticated; truncation, extension,
//!   reordering and any changed bit are errors.
//! - A file opens under one file key only, and a slot under one key or passphrase
//!   only: key commitment (CMT-1 of RFC 9771) with 128 bits of strength.
//! - A hostile file makes a reader use no more memory and time than [`OpenOptions`]
//!   allows: Argon2 costs are checked before anything is allocated.
//!
//! # Limits
//!
//! - The length of the plaintext is not hidden, nor which key ids open a file.
//! - Sealing is randomised, and as a whole it does not resist misuse as one AES-GCM-SIV message
//!   does: with a generator that repeats, equal chunks at equal places show as equal. No scheme
//!   that seals a stream as it comes can do better.
//! - A file does not say who sealed it: anybody with a recipient's public key, or who can open the
//!   file, can do it. A recipient's slot shows its kind, and not whose it is.
//! - An old copy of a header still opens with its old keys.
#![forbid(unsafe_code)]

mod atomic_file;
mod batch;
mod bech32;
mod chunk;
mod column_key;
mod cost;
mod derive;
mod encapsulation;
mod error;
mod file_lock;
#[cfg(all(feature = "folder", unix))]
pub mod folder;
mod header;
mod header_copy;
mod key_file;
mod key_text;
mod kind;
mod passphrase;
mod reader;
mod recipient;
mod salvage;
mod slot;
mod slots;
mod suite;
mod verdict;
mod writer;
#[cfg(feature = "zstd")]
pub mod zstd;

pub use atomic_file::AtomicFile;
pub use chunk::{CHUNK_LEN, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
pub use cost::Argon2Cost;
pub use error::{AgeKeyError, Error, KeyFileError};
pub use file_lock::{FileLock, open_to_change};
pub use header::{Copies, Header, Unlocked};
pub use header_copy::{HEADER_LEN, MAX_HEADER_LEN, MAX_SLOTS, VERSION, header_need};
pub use key_file::{KeyFile, KeyId, MAX_KEY_FILE_LEN, MAX_NAME_LEN};
pub use key_text::{is_key, is_key_text};
pub use kind::Kind;
pub use passphrase::Passphrase;
pub use reader::{OpenOptions, Reader};
pub use recipient::{Identity, Recipient};
pub use salvage::{Salvage, salvage};
pub use slot::{Lock, SlotInfo, Unlock};
pub use slots::{change_slots, change_slots_in};
pub use suite::Suite;
pub use writer::{SealOptions, Writer};

/// The README's examples, which use both crates.
#[cfg(doctest)]
#[doc = include_str!("../../core/README.md")]
#[doc = include_str!("../README.md")]
struct Readme;
