//! The player of vectors: what every file under `vectors/` says is asked of every language,
//! and how much ran is asserted here.
//!
//! The files of algorithms, and their counts, are those of the suite in `oracle`. All others
//! are named in [`FILES`], or in [`ELSEWHERE`] with the reason.

use super::{
    Language, hex, keyset_vectors, kuznyechik_vectors, message_vectors, offers, sealed_files,
};
use sha2::{Digest as _, Sha256};
use sivka_judge::conformance::ALGORITHMS;
use sivka_oracle::vectors::{SEALED_FILES, SEALED_FILES_OF_IDENTITIES};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// A file: how it is played, which answers how many cases there were, and how many it has.
type File = (&'static str, fn(&mut Player<'_>, &str) -> usize, usize);

const COLUMN_KEYS: &str = "column-v1/keys.json";
const BLOCK: &str = "kuznyechik/rfc7801.json";
const CHAIN: &str = "kuznyechik/chain.json";
const CTR_ACPKM: &str = "kuznyechik/ctr-acpkm.json";
const GOST: &str = "kuznyechik/gost-r-34.13-2015.json";
const KEYSETS: &str = "keyset/tink.json";
const LISTS: &str = "aes-siv/lists.json";

const FILES: [File; 11] = [
    (LISTS, message_vectors::lists, 7),
    (COLUMN_KEYS, message_vectors::column_keys, 30),
    ("column-v1/rows.csv", message_vectors::column_rows, 14),
    (KEYSETS, keyset_vectors::play, 4 + 11 + 10 + 7 + 1 + 4),
    (CHAIN, kuznyechik_vectors::chain, 32),
    (CTR_ACPKM, kuznyechik_vectors::ctr_acpkm, 1),
    (GOST, kuznyechik_vectors::gost, 4),
    (BLOCK, kuznyechik_vectors::block, 1),
    ("published/boringssl/aes_128_gcm_siv_tests.txt", message_vectors::boringssl, 89),
    ("published/boringssl/aes_256_gcm_siv_tests.txt", message_vectors::boringssl, 90),
    ("published/nist-acvp/aes-gcm-siv.json", message_vectors::acvp, 107 + 13),
];

/// What is not played here, and why.
const ELSEWHERE: [(&str, &str); 8] = [
    ("accumulated/accumulated.json", "`many.rs` plays it in every language"),
    ("age/stanzas.json", "no package offers the KEMs alone"),
    ("blake2b/keyed.json", "no package offers the hash alone"),
    ("chacha20/chacha20.json", "no package offers the cipher alone"),
    ("compression-v1/contents.json", "the command plays it"),
    ("folder-v1/archives.json", "readers of folders play it"),
    ("kuznyechik/rfc9058-steps.json", "steps of the computation"),
    ("published/boringssl/blake2b256_tests.txt", "no package offers the hash alone"),
];

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

/// Every file of the folder is named once, and its checksum is the one that is listed.
pub(super) fn check_folder() {
    let mut known: Vec<&str> = FILES.iter().map(|file| file.0).collect();
    known.extend(ELSEWHERE.map(|(name, _)| name));
    // A file may be of several algorithms.
    let suites = ALGORITHMS.iter().flat_map(|row| row.vector_files).map(|file| file.name);
    known.extend(suites.collect::<BTreeSet<&str>>());
    known.sort_unstable();
    assert!(known.windows(2).all(|two| two[0] != two[1]), "named twice: {known:?}");

    let listed = fs::read_to_string(folder().join("SHA256SUMS")).unwrap();
    let (mut names, mut left) = (Vec::new(), vec![folder()]);
    while let Some(entry) = left.pop() {
        let ending = entry.extension().and_then(|ending| ending.to_str());
        if entry.is_dir() {
            left.extend(fs::read_dir(entry).unwrap().map(|entry| entry.unwrap().path()));
        } else if let Some("json" | "csv" | "txt") = ending {
            let name = entry.strip_prefix(folder()).unwrap().to_str().unwrap().to_owned();
            let line = format!("{}  {name}", hex(&Sha256::digest(fs::read(&entry).unwrap())));
            assert!(listed.lines().any(|listed| listed == line), "SHA256SUMS lacks {line}");
            names.push(name);
        }
    }
    names.sort();
    assert_eq!(names, known, "the files of the folder, and those that are named");
    assert_eq!(names.len(), listed.lines().count(), "SHA256SUMS names a file that is not there");
}

/// Plays every file in every language, each language in a thread of its own.
pub(super) fn play(languages: &mut [Language]) {
    thread::scope(|scope| {
        for language in languages {
            scope.spawn(move || play_in(language));
        }
    });
}

fn play_in(language: &mut Language) {
    let scratch = tempfile::tempdir().unwrap();
    let mut player = Player { language, scratch: scratch.path(), case: String::new() };
    let (mut ran, mut expected) = (BTreeMap::new(), BTreeMap::new());
    for row in &ALGORITHMS {
        ran.insert(row.name, player.algorithm(row));
        expected.insert(row.name, row.vector_count);
    }
    for (name, play, cases) in FILES {
        let cases = player.cases_of(name, cases);
        expected.insert(name, cases);
        let text = fs::read_to_string(folder().join(name)).unwrap();
        ran.insert(name, if cases > 0 { play(&mut player, &text) } else { 0 });
    }
    // In Rust, the tests of `file` play them.
    if player.name() != "rust" {
        let (opened, refused) = sealed_files::play(&mut player);
        ran.insert("file-v1, opened", opened);
        ran.insert("file-v1, refused", refused);
        let has_all = offers::identities(player.name());
        let left_out = if has_all { (0, 0) } else { SEALED_FILES_OF_IDENTITIES };
        expected.insert("file-v1, opened", SEALED_FILES.0 - left_out.0);
        expected.insert("file-v1, refused", SEALED_FILES.1 - left_out.1);
    }
    let who = &player.language.name;
    let counts = expected.iter().zip(&ran);
    for ((name, cases), (played, count)) in counts {
        assert_eq!(name, played);
        assert_eq!(count, cases, "{who}: {name}: so many ran, so many there are");
    }
    println!("{who}: {} vectors", ran.values().sum::<usize>());
}

/// One language that plays.
pub(super) struct Player<'a> {
    pub(super) language: &'a mut Language,
    /// A folder for files.
    pub(super) scratch: &'a Path,
    /// What is played, for messages.
    pub(super) case: String,
}

impl Player<'_> {
    pub(super) fn name(&self) -> &str {
        &self.language.name
    }

    /// How many cases of a file this language is to play.
    fn cases_of(&self, file: &str, cases: usize) -> usize {
        let has = |algorithm: &str| offers::has_key_of_columns(self.name(), algorithm);
        match file {
            // Each algorithm has as many of these.
            COLUMN_KEYS => {
                let offered = ALGORITHMS.iter().filter(|row| has(row.name));
                cases / ALGORITHMS.len() * offered.count()
            }
            "column-v1/rows.csv" if !has("AES-256-GCM-SIV") => 0,
            // In Rust, the tests of `core` and `keyset` play these.
            LISTS | BLOCK | CHAIN | CTR_ACPKM | GOST | KEYSETS if self.name() == "rust" => 0,
            // No other language has the modes.
            CTR_ACPKM if !offers::is_c(self.name()) => 0,
            GOST if !offers::is_c(self.name()) => 1,
            KEYSETS if !offers::has_keysets(self.name()) => 0,
            // Long, and nothing that one step does not say to a checker.
            CHAIN if self.name().starts_with("c-") => 0,
            _ => cases,
        }
    }

    /// Asks, and compares the answer.
    #[track_caller]
    pub(super) fn answers(&mut self, line: &str, expected: &str) {
        self.language.answers(line, expected, &self.case);
    }
}
