//! What the content of a file is, and which AEAD seals its chunks.

use sivka::Aead;
use std::fmt;

/// The AEAD that seals a file's chunks (specification section 3).
///
/// Everything a suite decides is in this file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suite {
    /// AES-256-GCM-SIV (RFC 8452), number 1, the default.
    #[default]
    Aes256GcmSiv,
    /// XChaCha20-BLAKE2b with tags of 32 bytes, number 2: committing, and fast on CPUs
    /// without AES instructions.
    XChaCha20Blake2b,
    /// Kuznyechik-MGM (RFC 9058), number 3, for those who must use GOST algorithms.
    KuznyechikMgm,
}

/// A row of the specification's table.
struct Row {
    name: &'static str,
    aead_name: &'static str,
    nonce_len: usize,
    tag_len: usize,
    chunk_aad: &'static [u8],
    /// A key to seal chunks with; every suite's have 32 bytes.
    new_key: fn(&[u8; 32]) -> Box<dyn Aead>,
}

static ROWS: [Row; 3] = [
    Row {
        name: "aes-256-gcm-siv",
        aead_name: "AEAD_AES_256_GCM_SIV",
        nonce_len: 12,
        tag_len: 16,
        chunk_aad: b"",
        new_key: |key| Box::new(sivka::Aes256GcmSiv::new(key)),
    },
    Row {
        name: "xchacha20-blake2b",
        aead_name: "private.sivka.AEAD_XCHACHA20_BLAKE2B_32",
        nonce_len: 24,
        tag_len: 32,
        chunk_aad: b"",
        new_key: |key| Box::new(sivka::XChaCha20Blake2b::new(key)),
    },
    Row {
        name: "kuznyechik-mgm",
        aead_name: "private.sivka.AEAD_KUZNYECHIK_MGM",
        nonce_len: 16,
        tag_len: 16,
        // It refuses an empty message with empty AAD.
        chunk_aad: b"sivka.file.v1 chunk",
        new_key: |key| Box::new(sivka::KuznyechikMgm::new(key)),
    },
];

impl Suite {
    /// Every suite that this version can seal and open, in the order of their numbers.
    pub const ALL: &'static [Self] =
        &[Self::Aes256GcmSiv, Self::XChaCha20Blake2b, Self::KuznyechikMgm];

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The number that is in a file's header.
    #[must_use]
    pub fn number(self) -> u32 {
        self as u32 + 1
    }

    /// The suite of a number, if this version knows it.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        let has_number = |suite: &Self| suite.number() == number;
        Self::ALL.iter().copied().find(has_number)
    }

    /// The name for people and for command lines, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The suite of a name, if this version knows it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|suite| suite.name() == name)
    }

    /// The name that the key derivation binds: that of the IANA registry, or a private one.
    #[must_use]
    pub fn aead_name(self) -> &'static str {
        self.row().aead_name
    }

    /// The length of a nonce in bytes.
    #[must_use]
    pub fn nonce_len(self) -> usize {
        self.row().nonce_len
    }

    /// The length of a chunk's tag in bytes.
    #[must_use]
    pub fn tag_len(self) -> usize {
        self.row().tag_len
    }

    pub(crate) fn chunk_aad(self) -> &'static [u8] {
        self.row().chunk_aad
    }

    pub(crate) fn new_key(self, key: &[u8; 32]) -> Box<dyn Aead> {
        (self.row().new_key)(key)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the content of a file is. Only somebody who opens the file sees it, before the first chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A file, number 0.
    #[default]
    File,
    /// A folder's archive, number 1.
    Folder,
    /// A file, compressed, number 2.
    CompressedFile,
    /// A folder's archive, compressed, number 3.
    CompressedFolder,
}

impl Kind {
    /// The byte beside the file key.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_number(number: u8) -> Option<Self> {
        use Kind::{CompressedFile, CompressedFolder, File, Folder};
        let kinds = [File, Folder, CompressedFile, CompressedFolder];
        kinds.get(usize::from(number)).copied()
    }

    /// Whether the content, once it is not compressed any more, is an archive of a folder.
    #[must_use]
    pub const fn is_folder(self) -> bool {
        matches!(self, Self::Folder | Self::CompressedFolder)
    }

    /// Whether the content is compressed.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Self::CompressedFile | Self::CompressedFolder)
    }
}
