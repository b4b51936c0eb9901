//! The matrix of languages: what each seals, each other opens, byte for byte; and every vector
//! in every language.
//!
//! Every language has a small program that reads lines and answers each with one. Words
//! are separated by a space, bytes are hexadecimal digits, and `-` is the empty string:
//!
//! | line | answer |
//! |---|---|
//! | `seal` form algorithm key nonce aad text | ciphertext ‖ tag, or tag ‖ ciphertext of AES-SIV; in the form `drawn` after the nonce that was drawn |
//! | `open` form algorithm key nonce aad sealed | the text, or `forged` |
//! | `seal-list`, `seal-contiguous`, `seal-column` algorithm ... | many messages: see below |
//! | `open-list`, `open-contiguous`, `open-column` algorithm ... | the same |
//! | `seal-strings` key text aad ... | tag ‖ ciphertext of AES-SIV |
//! | `open-strings` key sealed aad ... | the text, or `forged` |
//! | `encrypt-blocks`, `decrypt-blocks` key times blocks | what becomes of them, with Kuznyechik |
//! | `ctr` key iv section piece text | the text in CTR, or in CTR-ACPKM if sections have a length, given in pieces of so many bytes |
//! | `omac` key tag-length piece message | the tag of the message, given in such pieces |
//! | `omac-verify` key piece message tag | `verified` or `forged` |
//! | `seal-file` suite secret input output | `done` |
//! | `verify-file` secret input | `done`, or what is wrong |
//! | `open-file` secret input output | the same |
//! | `open-stream` secret input output | the same; the output is what was released until then |
//! | `read-file` secret input output | the same, by what seeks in a file |
//! | `salvage-file` secret input output | what is wrong; then what was found, if anything was: bytes that are intact, bytes that are lost, and `whole` or `part` |
//! | `keyset-new` template | a new Tink keyset; in JSON and in the clear, as all of them here |
//! | `keyset-rotate` template keyset | the keyset with a new primary |
//! | `keyset-enable` id keyset | the keyset with this key enabled |
//! | `keyset-primitive` keyset | `AEAD`, `deterministic AEAD` or `streaming AEAD` |
//! | `keyset-to-json`, `keyset-to-binary` keyset | the same, written again |
//! | `keyset-from-binary` binary | the same in JSON |
//! | `keyset-encrypt` master aad keyset | the keyset encrypted under another one, in JSON |
//! | `keyset-decrypt` master aad encrypted | the keyset, or `forged` |
//! | `keyset-decrypt-with` algorithm key form aad encrypted | the same under a key, from `json` or `binary` |
//! | `keyset-seal` keyset aad text | what the primary seals, deterministically or as a stream if it does |
//! | `keyset-open` keyset aad sealed | the text, or `forged` |
//! | `handles` rounds text-length | how many of the four users of each key ended because it was closed, and how many because they had called it often enough |
//!
//! A line of `seal` or `open` may go on with how many bytes the output is too short, and how long
//! the tag by itself is. A call that is refused is answered with what C says, `status` and its
//! number, or the name of an exception or error; and a sentence.
//!
//! `offers.rs` says which forms of calls a language has: `drawn`, by which it draws a nonce
//! itself; `joined`, which returns what it makes; `into`, which writes that into memory of the
//! caller, `into-direct` outside the heap, `into-in-place` where the text is too; `apart` and
//! `in-place`, which have the tag by itself. Where the memory is the caller's, `forged` is
//! followed by what is left in it.
//!
//! A key is `column:` and the text of a key file for the key that this gives columns. A secret
//! is two words: `key-file` and a path, `key` and its bytes, `passphrase` and its
//! bytes, or `identity` and its text. What
//! is wrong with a file is `not-sivka`, `newer`, `damaged`, `truncated`, `wrong-key` or
//! `cost-limit`; a language that does not tell some of these apart has another word for them.
//!
//! A line about many messages goes on with the bits of an offset, the number of the first bit
//! in the bitmap, and seven lengths in bytes. After the line come as many bytes: key, nonces,
//! AADs, offsets of AADs, texts, offsets of texts, and the tags to be opened or the bitmap.
//! Offsets are little-endian. Without offsets of AADs, all messages have the same. Without
//! nonces, a column that is sealed draws them; without a bitmap, it has no nulls.
//!
//! The answer is a line with the length of each part, then the parts and the end of a line.
//! A batch is sealed to texts and tags, or to both in one where the language joins them. It is
//! opened to texts, and a byte for each message, 1 if it opened. A column is sealed to rows and
//! their offsets, and opened to values, their offsets and such bytes. Where a language joins,
//! messages that do not open have no bytes; elsewhere these are zeros.
//!
//! Rust and C are always here. `SIVKA_MATRIX` names the others, as `cargo xtask test` sets
//! it: a line for each, with the language and the words of the command that starts its
//! program, separated by tabs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "matrix/arguments.rs"]
mod arguments;
#[path = "matrix/case.rs"]
mod case;
#[path = "matrix/keyset_vectors.rs"]
mod keyset_vectors;
#[path = "matrix/keysets.rs"]
mod keysets;
#[path = "matrix/kuznyechik_vectors.rs"]
mod kuznyechik_vectors;
#[path = "matrix/many.rs"]
mod many;
#[path = "matrix/message_vectors.rs"]
mod message_vectors;
#[path = "matrix/offers.rs"]
mod offers;
#[path = "matrix/player.rs"]
mod player;
#[path = "matrix/rust.rs"]
mod rust;
#[path = "matrix/rust_files.rs"]
mod rust_files;
#[path = "matrix/sealed_files.rs"]
mod sealed_files;
#[path = "c/toolchain.rs"]
mod toolchain;

use sivka::{Algorithm, NonceRule};
use sivka_file::{KeyFile, Suite};
use sivka_oracle::lengths::painted;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs};
use toolchain::within::{WaitInTime, in_time};
use toolchain::{Checker, command, is_there};

/// Algorithm, key length and nonce length in bytes, and whether level 1 draws the nonce.
fn algorithms() -> impl Iterator<Item = (&'static str, usize, usize, bool)> {
    Algorithm::all().iter().map(|row| {
        let draws = row.nonce_rule() != NonceRule::Counter;
        (row.name(), row.key_len(), row.nonce_len(), draws)
    })
}

/// Lengths of texts and of AADs in bytes: around blocks, strides and the ends of lanes.
const TEXT_LENS: [usize; 10] = [0, 1, 15, 16, 17, 64, 129, 512, 1025, 20_000];
const AAD_LENS: [usize; 4] = [0, 1, 16, 65];

pub(crate) fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

pub(crate) fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    let bytes = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap());
    bytes.collect()
}

/// One language.
struct Language {
    name: String,
    program: Option<(Child, ChildStdin, BufReader<ChildStdout>)>,
}

impl Language {
    fn rust() -> Self {
        Self { name: "rust".into(), program: None }
    }

    fn spawn(name: &str, mut command: Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().unwrap_or_else(|e| panic!("{name}: {e}"));
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { name: name.into(), program: Some((child, input, BufReader::new(output))) }
    }

    fn ask(&mut self, line: &str) -> String {
        let Some((child, input, output)) = &mut self.program else {
            return rust::answer(line);
        };
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        let mut answer = String::new();
        in_time(child.id(), || output.read_line(&mut answer)).unwrap();
        let shown = &line[..line.len().min(200)];
        assert!(answer.ends_with('\n'), "{} ended at: {shown}", self.name);
        answer.trim_end().into()
    }

    /// Asks, and compares the answer.
    #[track_caller]
    fn answers(&mut self, line: &str, expected: &str, case: &str) {
        let found = self.ask(line);
        let shown = &line[..line.len().min(300)];
        assert_eq!(found, expected, "{}: {case}: {shown}", self.name);
    }

    /// Asks with bytes after the line, which gets their lengths; so is the answer.
    fn ask_with_parts(&mut self, line: &str, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        let (child, input, output) = self.program.as_mut().unwrap();
        let lens = parts.iter().fold(String::new(), |mut text, part| {
            write!(text, " {}", part.len()).unwrap();
            text
        });
        let question = [format!("{line}{lens}\n").as_bytes(), &parts.concat()].concat();
        input.write_all(&question).unwrap();
        let mut lens = String::new();
        in_time(child.id(), || output.read_line(&mut lens)).unwrap();
        assert!(lens.ends_with('\n'), "{} ended at: {line}", self.name);
        let part = |len: &str| {
            let mut part = vec![0; len.parse().unwrap()];
            output.read_exact(&mut part).unwrap();
            part
        };
        let parts = lens.split_whitespace().map(part).collect();
        output.read_exact(&mut [0]).unwrap();
        parts
    }

    /// Ends the program, which has to agree that all went well.
    fn finish(self) {
        if let Some((mut child, input, _)) = self.program {
            drop(input);
            assert!(child.wait_in_time().unwrap().success(), "{}", self.name);
        }
    }
}

/// Every language that is here.
fn languages() -> Vec<Language> {
    let mut languages = vec![Language::rust()];
    if is_there("cc") {
        languages.push(Language::spawn("c", command(C_PROGRAM, Checker::None)));
    }
    let others = env::var("SIVKA_MATRIX").unwrap_or_default();
    for line in others.lines() {
        let mut words = line.split('\t');
        let (name, program) = (words.next().unwrap(), words.next().unwrap());
        let mut command = Command::new(program);
        command.args(words);
        languages.push(Language::spawn(name, command));
    }
    languages
}

const C_PROGRAM: &str = "tests/c/matrix.c";

/// The program in C, watched for what it does with memory.
fn c_with_checkers() -> Vec<Language> {
    let mut watched = Vec::new();
    if is_there("cc") {
        watched.push(Language::spawn("c-asan", command(C_PROGRAM, Checker::AddressSanitizer)));
    }
    if is_there("cc") && is_there("valgrind") {
        watched.push(Language::spawn("c-valgrind", command(C_PROGRAM, Checker::Valgrind)));
    }
    watched
}

/// The text with one bit flipped.
fn forge(sealed: &str) -> String {
    let mut bytes = unhex(sealed);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    hex(&bytes)
}

fn messages(languages: &mut [Language]) {
    for (at, (name, key_len, nonce_len, draws)) in algorithms().enumerate() {
        let key = hex(&painted(at, key_len));
        let lens = TEXT_LENS.iter().flat_map(|text| AAD_LENS.map(|aad| (*text, aad)));
        // MGM refuses a message that is empty in every part (RFC 9058, section 4).
        let lens = lens.filter(|lens| name != "Kuznyechik-MGM" || *lens != (0, 0));
        for (label, (text_len, aad_len)) in lens.enumerate() {
            let mut nonce = painted(label + 1000, nonce_len);
            // MGM needs the first bit clear.
            nonce.iter_mut().take(1).for_each(|byte| *byte &= 0x7f);
            let (nonce, aad) = (hex(&nonce), hex(&painted(label + 2000, aad_len)));
            let text = hex(&painted(label + 3000, text_len));
            let fixed = format!("{name} {key} {nonce} {aad}");
            let sealed = rust::answer(&format!("seal joined {fixed} {text}"));
            let forged = forge(&sealed);
            for language in &mut *languages {
                let forms = offers::forms_of_one(&language.name);
                let call = format!("{} {fixed}", forms[label % forms.len()]);
                language.answers(&format!("seal {call} {text}"), &sealed, "");
                language.answers(&format!("open {call} {sealed}"), &text, "");
                let answer = language.ask(&format!("open {call} {forged}"));
                assert!(answer.starts_with("forged"), "{}: {call}: {answer}", language.name);
            }
            if draws {
                let drawn = format!("drawn {name} {key} - {aad}");
                for sealer in 0..languages.len() {
                    let sealed = languages[sealer].ask(&format!("seal {drawn} {text}"));
                    let from = languages[sealer].name.clone();
                    for language in &mut *languages {
                        language.answers(&format!("open {drawn} {sealed}"), &text, &from);
                    }
                }
            }
        }
    }
}

fn files(languages: &mut [Language]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (key, text) = (path("key"), path("text"));
    fs::write(&key, KeyFile::generate("matrix").unwrap().to_text().as_bytes()).unwrap();
    fs::write(&text, painted(1, 150_000)).unwrap();
    for suite in Suite::ALL.iter().map(|suite| suite.name()) {
        for sealer in 0..languages.len() {
            let from = languages[sealer].name.clone();
            let sealed = path(&format!("{suite}-{from}"));
            let line = format!("seal-file {suite} key-file {key} {text} {sealed}");
            languages[sealer].answers(&line, "done", suite);
            let mut bytes = fs::read(&sealed).unwrap();
            bytes[70_000] ^= 1;
            let forged = format!("{sealed}-forged");
            fs::write(&forged, bytes).unwrap();
            for opener in &mut *languages {
                let to = opener.name.clone();
                let opened = path(&format!("{suite}-{from}-{to}"));
                let line = format!("open-file key-file {key} {sealed} {opened}");
                opener.answers(&line, "done", &sealed);
                assert_eq!(fs::read(&opened).unwrap(), painted(1, 150_000), "{from} to {to}");
                let line = format!("open-file key-file {key} {forged} {opened}-forged");
                opener.answers(&line, offers::file_failure(&to, "damaged"), &forged);
            }
        }
    }
}

#[test]
fn what_one_language_seals_every_other_opens() {
    let mut languages = languages();
    messages(&mut languages);
    many::shapes(&mut languages);
    many::accumulated(&mut languages);
    files(&mut languages);
    // Those without keysets come last.
    languages.sort_by_key(|language| !offers::has_keysets(&language.name));
    let count = languages.partition_point(|language| offers::has_keysets(&language.name));
    keysets::keysets(&mut languages[..count]);
    let names: Vec<&str> = languages.iter().map(|language| language.name.as_str()).collect();
    println!("the matrix holds for {}", names.join(", "));
    languages.into_iter().for_each(Language::finish);
}

#[test]
fn every_language_refuses_wrong_calls() {
    let mut languages = languages();
    languages.extend(c_with_checkers());
    arguments::ask(&mut languages);
    languages.into_iter().for_each(Language::finish);
}

/// In rounds nobody, one thread or two close a key that four others call; the collector runs.
/// Short calls end while a key is being closed, during long ones others run.
#[test]
fn keys_are_closed_and_collected_while_threads_call_them() {
    const ROUNDS: usize = 60;
    let mut languages = languages();
    for language in &mut languages {
        if !offers::closes_keys(&language.name) {
            continue;
        }
        for text_len in [16, 100_000] {
            let ended = language.ask(&format!("handles {ROUNDS} {text_len}"));
            let (closed, forgotten) = (4 * ROUNDS * 2 / 3, 4 * ROUNDS / 3);
            let expected = format!("closed {closed} forgotten {forgotten}");
            assert_eq!(ended, expected, "{}", language.name);
        }
    }
    languages.into_iter().for_each(Language::finish);
}

#[test]
fn every_language_plays_every_vector() {
    player::check_folder();
    let mut languages = languages();
    languages.extend(c_with_checkers());
    player::play(&mut languages);
    languages.into_iter().for_each(Language::finish);
}
