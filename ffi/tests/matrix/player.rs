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
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// A file: how it is played, which answers how many cases there were, and how many it has.
struct File {
    name: &'static str,
    play: fn(&mut Player<'_>, &str) -> usize,
    cases: usize,
}

const fn file(name: &'static str, play: fn(&mut Player<'_>, &str) -> usize, cases: usize) -> File {
    File { name, play, cases }
}

const ACVP: &str = "published/nist-acvp/aes-gcm-siv.json";
const BORINGSSL_128: &str = "published/boringssl/aes_128_gcm_siv_tests.txt";
const BORINGSSL_256: &str = "published/boringssl/aes_256_gcm_siv_tests.txt";
const COLUMN_KEYS: &str = "column-v1/keys.json";
const BLOCK: &str = "kuznyechik/rfc7801.json";
const CHAIN: &str = "kuznyechik/chain.json";
const CTR_ACPKM: &str = "kuznyechik/ctr-acpkm.json";
const GOST: &str = "kuznyechik/gost-r-34.13-2015.json";
const KEYSETS: &str = "keyset/tink.json";
const LISTS: &str = "aes-siv/lists.json";

const FILES: [File; 11] = [
    file(LISTS, message_vectors::lists, 7),
    file(COLUMN_KEYS, message_vectors::column_keys, 30),
    file("column-v1/rows.csv", message_vectors::column_rows, 14),
    file(KEYSETS, keyset_vectors::play, 4 + 11 + 10 + 7 + 1 + 4),
    file(CHAIN, kuznyechik_vectors::chain, 32),
    file(CTR_ACPKM, kuznyechik_vectors::ctr_acpkm, 1),
    file(GOST, kuznyechik_vectors::gost, 4),
    file(BLOCK, kuznyechik_vectors::block, 1),
    file(BORINGSSL_128, message_vectors::boringssl, 89),
    file(BORINGSSL_256, message_vectors::boringssl, 90),
    file(ACVP, message_vectors::acvp, 107 + 13),
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
    let mut known: Vec<&str> = FILES.iter().map(|file| file.name).collect();
    known.extend(ELSEWHERE.map(|(name, _)| name));
    known.sort_unstable();
    assert!(known.windows(2).all(|two| two[0] != two[1]), "named twice: {known:?}");
    let mut suites: Vec<&str> =
        ALGORITHMS.iter().flat_map(|row| row.vector_files).map(|file| file.name).collect();
    suites.sort_unstable();
    suites.dedup();
    assert!(suites.iter().all(|name| !known.contains(name)), "named twice: {suites:?}");
    known.extend(suites);
    known.sort_unstable();

    let listed = fs::read_to_string(folder().join("SHA256SUMS")).unwrap();
    let mut found = Vec::new();
    let mut left = vec![folder()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let ending = entry.extension().and_then(|ending| ending.to_str());
            match ending {
                _ if entry.is_dir() => left.push(entry),
                Some("json" | "csv" | "txt") => found.push(entry),
                _ => {}
            }
        }
    }
    let mut names = Vec::new();
    for path in found {
        let name = path.strip_prefix(folder()).unwrap().to_str().unwrap().to_owned();
        let sum = hex(&Sha256::digest(fs::read(&path).unwrap()));
        let line = format!("{sum}  {name}");
        assert!(listed.lines().any(|listed| listed == line), "SHA256SUMS lacks {line}");
        names.push(name);
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
    for file in &FILES {
        let cases = player.cases_of(file);
        expected.insert(file.name, cases);
        if cases > 0 {
            let text = fs::read_to_string(folder().join(file.name)).unwrap();
            ran.insert(file.name, (file.play)(&mut player, &text));
        } else {
            ran.insert(file.name, 0);
        }
    }
    // In Rust, the tests of `file` play them.
    if player.name() != "rust" {
        let (opened, refused) = sealed_files::play(&mut player);
        ran.insert("file-v1, opened", opened);
        ran.insert("file-v1, refused", refused);
        let left_out = match offers::identities(player.name()) {
            true => (0, 0),
            false => SEALED_FILES_OF_IDENTITIES,
        };
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
    fn cases_of(&self, file: &File) -> usize {
        let has = |algorithm: &str| offers::has_key_of_columns(self.name(), algorithm);
        match file.name {
            // Each algorithm has as many of these.
            COLUMN_KEYS => {
                let offered = ALGORITHMS.iter().filter(|row| has(row.name));
                file.cases / ALGORITHMS.len() * offered.count()
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
            _ => file.cases,
        }
    }

    /// Asks, and compares the answer.
    #[track_caller]
    pub(super) fn answers(&mut self, line: &str, expected: &str) {
        let found = self.language.ask(line);
        let shown = &line[..line.len().min(300)];
        assert_eq!(found, expected, "{}: {}: {shown}", self.name(), self.case);
    }
}
