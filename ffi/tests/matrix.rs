//! The matrix of languages: what each seals, each other opens, byte for byte.
//!
//! Every language has a small program that reads lines and answers each with one. Words
//! are separated by a space, bytes are hexadecimal digits, and `-` is the empty string:
//!
//! | line | answer |
//! |---|---|
//! | `seal` algorithm key nonce aad text | ciphertext ‖ tag, or tag ‖ ciphertext of AES-SIV; for the nonce `auto`, which is drawn, the nonce before that |
//! | `open` algorithm key nonce aad sealed | the text, or `forged` |
//! | `seal-list`, `seal-contiguous`, `seal-column` algorithm ... | many messages: see below |
//! | `open-list`, `open-contiguous`, `open-column` algorithm ... | the same |
//! | `seal-file` suite key-file input output | `done` |
//! | `open-file` key-file input output | `done`, or `forged` |
//! | `keyset-new` template | a new Tink keyset; in JSON and in the clear, as all of them here |
//! | `keyset-rotate` template keyset | the keyset with a new primary |
//! | `keyset-to-binary` keyset | the same in binary |
//! | `keyset-from-binary` binary | the same in JSON |
//! | `keyset-encrypt` master aad keyset | the keyset encrypted under another one, in JSON |
//! | `keyset-decrypt` master aad encrypted | the keyset, or `forged` |
//! | `keyset-seal` keyset aad text | what the primary seals, deterministically if it does |
//! | `keyset-open` keyset aad sealed | the text, or `forged` |
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

#[path = "matrix/case.rs"]
mod case;
#[path = "matrix/keysets.rs"]
mod keysets;
#[path = "matrix/many.rs"]
mod many;
#[path = "matrix/rust.rs"]
mod rust;
#[path = "c/toolchain.rs"]
mod toolchain;

use sivka::{Algorithm, NonceRule};
use sivka_file::{KeyFile, Suite};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs};
use toolchain::{CRATE, compile, is_there};

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

/// Bytes that differ for every label.
fn painted(label: usize, len: usize) -> Vec<u8> {
    let mut state = (label as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    (0..len).map(next).collect()
}

/// One language.
struct Language {
    name: String,
    program: Option<(Child, ChildStdin, BufReader<ChildStdout>)>,
}

impl Language {
    fn rust() -> Self {
        Self {
            name: "rust".into(),
            program: None,
        }
    }

    fn spawn(name: &str, mut command: Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().unwrap_or_else(|e| panic!("{name}: {e}"));
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self {
            name: name.into(),
            program: Some((child, input, BufReader::new(output))),
        }
    }

    fn ask(&mut self, line: &str) -> String {
        let Some((_, input, output)) = &mut self.program else {
            return rust::answer(line);
        };
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        let shown = &line[..line.len().min(200)];
        assert!(answer.ends_with('\n'), "{} ended at: {shown}", self.name);
        answer.trim_end().into()
    }

    /// Asks with bytes behind the line, which gets their lengths; so is the answer.
    fn ask_with_parts(&mut self, line: &str, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        let (_, input, output) = self.program.as_mut().unwrap();
        let lens = parts.iter().fold(String::new(), |mut text, part| {
            write!(text, " {}", part.len()).unwrap();
            text
        });
        let question = [format!("{line}{lens}\n").as_bytes(), &parts.concat()].concat();
        input.write_all(&question).unwrap();
        let mut lens = String::new();
        output.read_line(&mut lens).unwrap();
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
            assert!(child.wait().unwrap().success(), "{}", self.name);
        }
    }
}

/// Every language that is here.
fn languages() -> Vec<Language> {
    let mut languages = vec![Language::rust()];
    if is_there("cc") {
        let program = compile(&Path::new(CRATE).join("tests/c/matrix.c"), "matrix", &[]);
        languages.push(Language::spawn("c", Command::new(program)));
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
        let lens = TEXT_LENS
            .iter()
            .flat_map(|text| AAD_LENS.map(|aad| (*text, aad)));
        // MGM refuses a message that is empty in every part (RFC 9058, section 4).
        let lens = lens.filter(|lens| name != "Kuznyechik-MGM" || *lens != (0, 0));
        for (label, (text_len, aad_len)) in lens.enumerate() {
            let mut nonce = painted(label + 1000, nonce_len);
            // MGM needs the first bit clear.
            nonce.iter_mut().take(1).for_each(|byte| *byte &= 0x7f);
            let (nonce, aad) = (hex(&nonce), hex(&painted(label + 2000, aad_len)));
            let text = hex(&painted(label + 3000, text_len));
            let fixed = format!("{name} {key} {nonce} {aad}");
            let sealed = rust::answer(&format!("seal {fixed} {text}"));
            let forged = forge(&sealed);
            for language in &mut *languages {
                let who = language.name.clone();
                assert_eq!(
                    language.ask(&format!("seal {fixed} {text}")),
                    sealed,
                    "{who}: {fixed}"
                );
                assert_eq!(
                    language.ask(&format!("open {fixed} {sealed}")),
                    text,
                    "{who}: {fixed}"
                );
                let answer = language.ask(&format!("open {fixed} {forged}"));
                assert_eq!(answer, "forged", "{who}: {fixed}");
            }
            if draws {
                let drawn = format!("{name} {key} auto {aad}");
                for sealer in 0..languages.len() {
                    let sealed = languages[sealer].ask(&format!("seal {drawn} {text}"));
                    let from = languages[sealer].name.clone();
                    for language in &mut *languages {
                        let opened = language.ask(&format!("open {drawn} {sealed}"));
                        assert_eq!(opened, text, "{from} to {}: {drawn}", language.name);
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
    fs::write(
        &key,
        KeyFile::generate("matrix").unwrap().to_text().as_bytes(),
    )
    .unwrap();
    fs::write(&text, painted(1, 150_000)).unwrap();
    for suite in Suite::ALL.iter().map(|suite| suite.name()) {
        for sealer in 0..languages.len() {
            let from = languages[sealer].name.clone();
            let sealed = path(&format!("{suite}-{from}"));
            let done = languages[sealer].ask(&format!("seal-file {suite} {key} {text} {sealed}"));
            assert_eq!(done, "done", "{from}: {suite}");
            let mut bytes = fs::read(&sealed).unwrap();
            bytes[70_000] ^= 1;
            let forged = format!("{sealed}-forged");
            fs::write(&forged, bytes).unwrap();
            for opener in &mut *languages {
                let to = opener.name.clone();
                let opened = path(&format!("{suite}-{from}-{to}"));
                let done = opener.ask(&format!("open-file {key} {sealed} {opened}"));
                assert_eq!(done, "done", "{from} to {to}: {suite}");
                assert_eq!(
                    fs::read(&opened).unwrap(),
                    painted(1, 150_000),
                    "{from} to {to}"
                );
                let refused = opener.ask(&format!("open-file {key} {forged} {opened}-forged"));
                assert_eq!(refused, "forged", "{from} to {to}: {suite}");
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
    keysets::keysets(&mut languages);
    let names: Vec<&str> = languages
        .iter()
        .map(|language| language.name.as_str())
        .collect();
    println!("the matrix holds for {}", names.join(", "));
    languages.into_iter().for_each(Language::finish);
}
