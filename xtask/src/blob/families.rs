//! What machine code there is, and how Go calls it.

/// Algorithms that a Go program links together, or not at all.
pub(super) struct Family {
    /// Of `bindings/go/blob`.
    pub(super) feature: &'static str,
    /// The folder in `bindings/go` of the Go package.
    pub(super) package: &'static str,
    pub(super) entries: &'static [Entry],
}

impl Family {
    /// The names of the functions of the machine code, in the order of the entries.
    pub(super) fn symbols(&self) -> impl Iterator<Item = String> {
        let family = self.feature.replace('-', "_");
        let names = self.entries.iter().map(|entry| entry.name);
        names.map(move |name| format!("{family}_{name}"))
    }
}

/// A function of the machine code, and the one of Go that calls it.
pub(super) struct Entry {
    /// After that of its family.
    pub(super) name: &'static str,
    pub(super) go: &'static str,
    /// Go's parameters with their types, words all of them.
    pub(super) parameters: &'static [&'static str],
    /// The stack that it is given, in bytes. A test paints it, and fails if two thirds of it
    /// are used.
    pub(super) frame: u32,
}

impl Entry {
    /// The names of the parameters.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let words = self.parameters.iter();
        words.filter_map(|parameter| parameter.split(' ').next())
    }

    /// The name of the word at the address that the machine code is given.
    pub(super) fn first(&self) -> &'static str {
        self.names().next().unwrap_or("ret")
    }

    /// Whether the types of its parameters have this in their names.
    pub(super) fn uses(&self, name: &str) -> bool {
        let mut parameters = self.parameters.iter();
        parameters.any(|parameter| parameter.contains(name))
    }
}

/// Most calls.
const SHALLOW: u32 = 20 << 10;
/// What makes a key, and overwrites what that leaves on the stack; and calls with many strings
/// of associated data.
const MEDIUM: u32 = 24 << 10;
/// What makes keys that are larger on the portable tier.
const MAKING: u32 = 48 << 10;
/// Many messages, of which some are worked on at once.
const BROAD: u32 = 96 << 10;
/// Known answers, of buffers for messages that reach every kernel.
const DEEP: u32 = 112 << 10;

/// The address of what the others pass one after the other: the compiler of Go would put eight
/// words into registers, and a function between it and the assembler's onto the stack.
pub(super) const AT: &[&str] = &["call *machine.Call"];
const NEW: &[&str] = &[
    "place unsafe.Pointer",
    "key *byte",
    "features uint64",
    "tier uint64",
];
const ASK: &[&str] = &["features uint64", "tier uint64"];
/// Of AES-SIV.
const LIST: &[&str] = &[
    "key unsafe.Pointer",
    "aads *[]byte",
    "aadCount int",
    "from *byte",
    "to *byte",
    "textLen int",
    "tag *[16]byte",
];
/// Of messages that are handed on some hundred at a time.
const BATCH: &[&str] = &["key unsafe.Pointer", "slab *batch.Slab"];
/// Of the blocks of Kuznyechik.
const BYTES: &[&str] = &["key unsafe.Pointer", "bytes *byte", "bytesLen int"];
/// Of keys that choose the length of their tags.
const NEW_TAGGED: &[&str] = &[
    "place unsafe.Pointer",
    "key *byte",
    "features uint64",
    "tier uint64",
    "tagLen int",
];
const TAGGED: &[&str] = &[
    "key unsafe.Pointer",
    "nonce *byte",
    "aad *byte",
    "aadLen int",
    "from *byte",
    "to *byte",
    "textLen int",
    "tag *byte",
    "tagLen int",
];

const fn entry(
    name: &'static str,
    go: &'static str,
    parameters: &'static [&'static str],
    frame: u32,
) -> Entry {
    Entry {
        name,
        go,
        parameters,
        frame,
    }
}

const GCM_SIV: &[Entry] = &[
    entry("known_answers", "knownAnswers", ASK, DEEP),
    entry("new", "newKey", NEW, MEDIUM),
    entry("seal", "seal", AT, SHALLOW),
    entry("open", "open", AT, SHALLOW),
    entry("seal_batch", "sealBatch", BATCH, BROAD),
    entry("open_batch", "openBatch", BATCH, BROAD),
];

/// What the CPU has, and then what there is for it.
pub(super) const FAMILIES: [Family; 6] = [
    Family {
        feature: "cpu",
        package: "internal/machine",
        entries: &[entry("features", "cpuFeatures", &[], SHALLOW)],
    },
    Family {
        feature: "gcm-siv-128",
        package: "internal/gcmsiv128",
        entries: GCM_SIV,
    },
    Family {
        feature: "gcm-siv-256",
        package: "internal/gcmsiv256",
        entries: GCM_SIV,
    },
    Family {
        feature: "aes-siv",
        package: "internal/aessiv",
        entries: &[
            entry("known_answers", "knownAnswers", ASK, DEEP),
            entry("new_256", "new256", NEW, MEDIUM),
            entry("seal_256", "seal256", LIST, MEDIUM),
            entry("open_256", "open256", LIST, MEDIUM),
            entry("seal_batch_256", "sealBatch256", BATCH, BROAD),
            entry("open_batch_256", "openBatch256", BATCH, BROAD),
            entry("new_384", "new384", NEW, MEDIUM),
            entry("seal_384", "seal384", LIST, MEDIUM),
            entry("open_384", "open384", LIST, MEDIUM),
            entry("seal_batch_384", "sealBatch384", BATCH, BROAD),
            entry("open_batch_384", "openBatch384", BATCH, BROAD),
            entry("new_512", "new512", NEW, MEDIUM),
            entry("seal_512", "seal512", LIST, MEDIUM),
            entry("open_512", "open512", LIST, MEDIUM),
            entry("seal_batch_512", "sealBatch512", BATCH, BROAD),
            entry("open_batch_512", "openBatch512", BATCH, BROAD),
        ],
    },
    Family {
        feature: "chacha20-blake2b",
        package: "internal/chacha20blake2b",
        entries: &[
            entry("known_answers", "knownAnswers", ASK, DEEP),
            entry("new_short", "newShort", NEW_TAGGED, MEDIUM),
            entry("seal_short", "sealShort", TAGGED, SHALLOW),
            entry("open_short", "openShort", TAGGED, SHALLOW),
            entry("seal_batch_short", "sealBatchShort", BATCH, BROAD),
            entry("open_batch_short", "openBatchShort", BATCH, BROAD),
            entry("new_extended", "newExtended", NEW_TAGGED, MEDIUM),
            entry("seal_extended", "sealExtended", TAGGED, SHALLOW),
            entry("open_extended", "openExtended", TAGGED, SHALLOW),
            entry("seal_batch_extended", "sealBatchExtended", BATCH, BROAD),
            entry("open_batch_extended", "openBatchExtended", BATCH, BROAD),
            entry("new_siv", "newSIV", NEW_TAGGED, MEDIUM),
            entry("seal_siv", "sealSIV", TAGGED, SHALLOW),
            entry("open_siv", "openSIV", TAGGED, SHALLOW),
            entry("seal_batch_siv", "sealBatchSIV", BATCH, BROAD),
            entry("open_batch_siv", "openBatchSIV", BATCH, BROAD),
        ],
    },
    Family {
        feature: "kuznyechik",
        package: "kuznyechik",
        entries: &[
            entry("known_answers", "knownAnswers", ASK, DEEP),
            entry("new_blocks", "newBlocks", NEW, MAKING),
            entry("encrypt_blocks", "encryptBlocks", BYTES, MEDIUM),
            entry("decrypt_blocks", "decryptBlocks", BYTES, MEDIUM),
            entry("new_mgm", "newMGM", NEW, MAKING),
            entry("seal_mgm", "sealMGM", TAGGED, MEDIUM),
            entry("open_mgm", "openMGM", TAGGED, MEDIUM),
            entry("seal_batch_mgm", "sealBatchMGM", BATCH, BROAD),
            entry("open_batch_mgm", "openBatchMGM", BATCH, BROAD),
        ],
    },
];
