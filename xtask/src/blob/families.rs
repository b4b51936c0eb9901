//! What machine code there is, and how Go calls it.

/// Algorithms whose code a Go program links together.
pub(super) struct Family {
    /// Of `bindings/go/blob`.
    pub(super) feature: &'static str,
    pub(super) tables: &'static [Table],
}

/// What Go knows of one algorithm: `Entries` of `bindings/go/internal/machine`.
pub(super) struct Table {
    /// The method of Go that returns it.
    pub(super) go: &'static str,
    /// In the order of Go's numbers.
    pub(super) entries: &'static [Entry],
}

/// A function of the machine code. It takes the address of its arguments.
pub(super) struct Entry {
    /// After that of its family.
    pub(super) name: &'static str,
    /// The one of Go that calls it, before the name of its table.
    go: &'static str,
    /// The stack that it is given, in bytes. A test paints it, and fails if two thirds of it
    /// are used.
    pub(super) frame: u32,
}

impl Family {
    /// Every entry, with its table.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'static Table, &'static Entry)> {
        let tables = self.tables.iter();
        tables.flat_map(|table| table.entries.iter().map(move |entry| (table, entry)))
    }

    /// The name of the function of the machine code.
    pub(super) fn symbol(&self, entry: &Entry) -> String {
        format!("{}_{}", self.file_name(), entry.name)
    }

    /// The feature, as names of files and functions have it.
    pub(super) fn file_name(&self) -> String {
        self.feature.replace('-', "_")
    }
}

impl Table {
    /// The name of the function of Go that calls an entry.
    pub(super) fn function(&self, entry: &Entry) -> String {
        format!("{}{}", entry.go, self.go)
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

const fn entry(name: &'static str, go: &'static str, frame: u32) -> Entry {
    Entry { name, go, frame }
}

const fn table(go: &'static str, entries: &'static [Entry]) -> Table {
    Table { go, entries }
}

/// The entries of an AEAD: known answers, what makes a key, and what seals and opens one message
/// and many.
macro_rules! aead {
    ($new:literal, $seal:literal, $open:literal, $many:literal, $open_many:literal, $making:ident, $message:ident) => {
        &[
            entry("known_answers", "knownAnswers", DEEP),
            entry($new, "newKey", $making),
            entry($seal, "seal", $message),
            entry($open, "open", $message),
            entry($many, "sealBatch", BROAD),
            entry($open_many, "openBatch", BROAD),
        ]
    };
}

const GCM_SIV: &[Entry] = aead!(
    "new",
    "seal",
    "open",
    "seal_batch",
    "open_batch",
    MEDIUM,
    SHALLOW
);

/// What the CPU has, and then what there is for it.
pub(super) const FAMILIES: [Family; 6] = [
    Family {
        feature: "cpu",
        tables: &[table("CPU", &[entry("features", "cpuFeatures", SHALLOW)])],
    },
    Family {
        feature: "gcm-siv-128",
        tables: &[table("GCMSIV128", GCM_SIV)],
    },
    Family {
        feature: "gcm-siv-256",
        tables: &[table("GCMSIV256", GCM_SIV)],
    },
    Family {
        feature: "aes-siv",
        tables: &[
            table(
                "AESSIV256",
                aead!(
                    "new_256",
                    "seal_256",
                    "open_256",
                    "seal_batch_256",
                    "open_batch_256",
                    MEDIUM,
                    MEDIUM
                ),
            ),
            table(
                "AESSIV384",
                aead!(
                    "new_384",
                    "seal_384",
                    "open_384",
                    "seal_batch_384",
                    "open_batch_384",
                    MEDIUM,
                    MEDIUM
                ),
            ),
            table(
                "AESSIV512",
                aead!(
                    "new_512",
                    "seal_512",
                    "open_512",
                    "seal_batch_512",
                    "open_batch_512",
                    MEDIUM,
                    MEDIUM
                ),
            ),
        ],
    },
    Family {
        feature: "chacha20-blake2b",
        tables: &[
            table(
                "ChaCha20BLAKE2b",
                aead!(
                    "new_short",
                    "seal_short",
                    "open_short",
                    "seal_batch_short",
                    "open_batch_short",
                    MEDIUM,
                    SHALLOW
                ),
            ),
            table(
                "XChaCha20BLAKE2b",
                aead!(
                    "new_extended",
                    "seal_extended",
                    "open_extended",
                    "seal_batch_extended",
                    "open_batch_extended",
                    MEDIUM,
                    SHALLOW
                ),
            ),
            table(
                "XChaCha20BLAKE2bSIV",
                aead!(
                    "new_siv",
                    "seal_siv",
                    "open_siv",
                    "seal_batch_siv",
                    "open_batch_siv",
                    MEDIUM,
                    SHALLOW
                ),
            ),
        ],
    },
    Family {
        feature: "kuznyechik",
        tables: &[
            table(
                "Kuznyechik",
                &[
                    entry("known_answers", "knownAnswers", DEEP),
                    entry("new_blocks", "newKey", MAKING),
                    entry("encrypt_blocks", "encrypt", MEDIUM),
                    entry("decrypt_blocks", "decrypt", MEDIUM),
                ],
            ),
            table(
                "KuznyechikMGM",
                aead!(
                    "new_mgm",
                    "seal_mgm",
                    "open_mgm",
                    "seal_batch_mgm",
                    "open_batch_mgm",
                    MAKING,
                    MEDIUM
                ),
            ),
        ],
    },
];
