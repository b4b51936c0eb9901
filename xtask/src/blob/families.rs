//! Families of machine code, and Go's calls of them.

/// Algorithms whose code a Go program links together.
pub(super) struct Family {
    /// Of `bindings/go/blob`.
    pub(super) feature: &'static str,
    pub(super) tables: &'static [Table],
}

/// Go's view of one algorithm: `Entries` of `bindings/go/internal/machine`.
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
/// Calls that make a key and overwrite the stack; and calls with many strings of associated data.
const MEDIUM: u32 = 24 << 10;
/// Calls that make keys that are larger on the portable tier.
const MAKING: u32 = 48 << 10;
/// Many messages; some are worked on at once.
const BROAD: u32 = 96 << 10;
/// Known answers, of buffers for messages that reach every kernel.
const DEEP: u32 = 112 << 10;

const fn entry(name: &'static str, go: &'static str, frame: u32) -> Entry {
    Entry { name, go, frame }
}

const fn table(go: &'static str, entries: &'static [Entry]) -> Table {
    Table { go, entries }
}

/// The entries of an AEAD, whose names end like this: known answers, what makes a key, and what
/// seals and opens one message and many.
macro_rules! aead {
    ($go:literal, $ending:literal, $making:ident, $message:ident) => {
        table(
            $go,
            &[
                entry("known_answers", "knownAnswers", DEEP),
                entry(concat!("new", $ending), "newKey", $making),
                entry(concat!("seal", $ending), "seal", $message),
                entry(concat!("open", $ending), "open", $message),
                entry(concat!("seal_batch", $ending), "sealBatch", BROAD),
                entry(concat!("open_batch", $ending), "openBatch", BROAD),
            ],
        )
    };
}

const fn family(feature: &'static str, tables: &'static [Table]) -> Family {
    Family { feature, tables }
}

/// The CPU's features, and then the code for them.
pub(super) const FAMILIES: [Family; 6] = [
    family("cpu", &[table("CPU", CPU)]),
    family("gcm-siv-128", &[aead!("GCMSIV128", "", MEDIUM, SHALLOW)]),
    family("gcm-siv-256", &[aead!("GCMSIV256", "", MEDIUM, SHALLOW)]),
    family(
        "aes-siv",
        &[
            aead!("AESSIV256", "_256", MEDIUM, MEDIUM),
            aead!("AESSIV384", "_384", MEDIUM, MEDIUM),
            aead!("AESSIV512", "_512", MEDIUM, MEDIUM),
        ],
    ),
    family(
        "chacha20-blake2b",
        &[
            aead!("ChaCha20BLAKE2b", "_short", MEDIUM, SHALLOW),
            aead!("XChaCha20BLAKE2b", "_extended", MEDIUM, SHALLOW),
            aead!("XChaCha20BLAKE2bSIV", "_siv", MEDIUM, SHALLOW),
        ],
    ),
    family(
        "kuznyechik",
        &[table("Kuznyechik", BLOCKS), aead!("KuznyechikMGM", "_mgm", MAKING, MEDIUM)],
    ),
];

const CPU: &[Entry] = &[entry("features", "cpuFeatures", SHALLOW)];

const BLOCKS: &[Entry] = &[
    entry("known_answers", "knownAnswers", DEEP),
    entry("new_blocks", "newKey", MAKING),
    entry("encrypt_blocks", "encrypt", MEDIUM),
    entry("decrypt_blocks", "decrypt", MEDIUM),
];
