//! What keys leave in memory: a process makes a key, uses and frees it, and this one searches
//! its memory for the key and for all that is made of it.

mod algorithms;
mod command;
mod files;
mod hold;
mod memory;
mod process;
mod request;
mod secrets;

pub(crate) use command::of_command;
pub(crate) use hold::hold;

pub(crate) use files::{Kind, identity_text};
use memory::Hit;
pub(crate) use process::end_in_time;
use request::{Act, Ending, Request, wrong};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Lengths in bytes that reach every path of the kernels.
const LENS: [usize; 6] = [16, 100, 600, 3000, 9000, 70_000];

/// Those of files: less than a chunk, and so much that there is work for other threads.
const FILE_LENS: [usize; 2] = [100, 2_000_000];

/// Keys by their types that are no AEAD.
const OTHER_KEYS: [&str; 4] = [
    "Kuznyechik",
    "Kuznyechik-CTR",
    "Kuznyechik-CTR-ACPKM",
    "Kuznyechik-OMAC",
];

/// Whose process is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyProgram {
    Rust,
    Language,
    /// Go, where nobody calls `Wipe`: keys are wiped on another stack than the one that they
    /// were used on. What a call leaves there stays (bindings/go/README.md), so only keys that
    /// nobody uses are looked for.
    Unused,
    /// Go, where `Wipe` is called after every message. Its keys of files and keysets are made by
    /// packages of Go, which wipe nothing.
    Messages,
}

impl KeyProgram {
    fn does(self, act: Act) -> bool {
        match act {
            Act::Kept => false,
            Act::Panic | Act::X25519(_) | Act::PostQuantum(_) => self == Self::Rust,
            Act::SetUp | Act::Refused => true,
            Act::Seal | Act::Open | Act::Forged | Act::Batch | Act::BatchForged => {
                self != Self::Unused
            }
            Act::KeyFile(_) | Act::Passphrase(_) | Act::Keyset | Act::KeysetRefused => {
                matches!(self, Self::Rust | Self::Language)
            }
        }
    }
}

/// The variable that names the place of the sealed file, for who searches.
const FILE: &str = "SIVKA_SEALED_FILE";

/// What ends the paths, beside the sealed file, of an identity and a wrong one, which only Rust's
/// process reads, and of a keyset in binary and in JSON, which C's does.
const IDENTITIES: [&str; 2] = [".identity", ".other"];
const KEYSETS: [&str; 2] = [".binary", ".json"];

/// Asks a process, started by `command`, for everything, or what has this part of a name, and
/// searches it. Whether nothing was found.
///
/// Other languages have the calls behind a pointer and no panics; as long as their key is in use,
/// memory is not searched.
pub(crate) fn all(
    command: &mut Command,
    kind: KeyProgram,
    part: Option<&str>,
) -> Result<bool, String> {
    let mut searched = Searched {
        prints_each: part.is_some(),
        ..Searched::default()
    };
    let mut process = Asked::start(command)?;
    control(&mut process)?;
    let mut number = 0;
    let mut ask = |algorithm: &str, key_len, act| {
        let lens = match act {
            Act::SetUp | Act::Refused | Act::KeysetRefused => &LENS[..1],
            Act::KeyFile(Ending::Refused)
            | Act::Passphrase(Ending::Refused)
            | Act::X25519(Ending::Refused)
            | Act::PostQuantum(Ending::Refused) => &FILE_LENS[..1],
            Act::KeyFile(_) | Act::Passphrase(_) | Act::X25519(_) | Act::PostQuantum(_) => {
                &FILE_LENS[..]
            }
            _ => &LENS[..],
        };
        for &len in lens {
            number += 1;
            let request = Request::new(algorithm, key_len, act, len, number);
            let name = format!("{algorithm}, {}, {len} B", act.name());
            if !name.contains(part.unwrap_or_default()) {
                continue;
            }
            process.search(&request, &mut searched)?;
        }
        Ok::<(), String>(())
    };
    for (act, _) in Act::ALL {
        if !kind.does(act) {
            continue;
        }
        let is_of_files = matches!(
            act,
            Act::KeyFile(_) | Act::Passphrase(_) | Act::X25519(_) | Act::PostQuantum(_)
        );
        if is_of_files {
            for suite in sivka_file::Suite::ALL {
                ask(&format!("file:{}", suite.name()), 32, act)?;
            }
            continue;
        }
        if matches!(act, Act::Keyset | Act::KeysetRefused) {
            for (_, key_len, name) in crate::calls::keyset::TYPES {
                ask(&format!("keyset:{name}"), key_len, act)?;
            }
            continue;
        }
        for algorithm in sivka::Algorithm::all() {
            ask(algorithm.name(), algorithm.key_len(), act)?;
            // An array of the right length is what these keys are made of.
            let is_typed = kind == KeyProgram::Rust && act != Act::Refused;
            if is_typed && !algorithm.name().contains("-Tag") {
                ask(&format!("typed:{algorithm}"), algorithm.key_len(), act)?;
            }
        }
        if kind == KeyProgram::Rust && matches!(act, Act::SetUp | Act::Seal | Act::Panic) {
            for name in OTHER_KEYS {
                ask(&format!("typed:{name}"), 32, act)?;
            }
        }
    }
    Ok(searched.report())
}

/// Has a key kept. Who does not find it has said nothing of the others. It is one that every tier
/// keeps as bytes: `portable` keeps those of AES as bits in words.
fn control(process: &mut Asked) -> Result<(), String> {
    let request = Request::new("XChaCha20-BLAKE2b", 32, Act::Kept, LENS[1], u64::MAX);
    let mut searched = Searched::default();
    process.search(&request, &mut searched)?;
    if searched.found.is_empty() {
        return Err("a key that was kept was not found".to_owned());
    }
    println!(
        "control: {} kinds of remains of a key that was kept",
        searched.found.len()
    );
    Ok(())
}

/// What was searched, and what was found.
#[derive(Default)]
struct Searched {
    states: usize,
    bytes: usize,
    prints_each: bool,
    /// By algorithm, act and stage: how often, the secrets, how deep below the stack's end, and an example.
    found: BTreeMap<String, Remains>,
}

impl Searched {
    fn add(&mut self, request: &Request, stage: &str, end: u64, hits: &[Hit]) {
        self.states += 1;
        let Request {
            algorithm,
            act,
            len,
            ..
        } = request;
        for hit in hits {
            let what = format!("{algorithm}, {}, {stage}, in {}", act.name(), hit.mapping);
            let remains = self.found.entry(what.clone()).or_default();
            remains.times += 1;
            if self.prints_each {
                let depth = end.saturating_sub(hit.address);
                println!(
                    "{what}, {len} B: {} at {:x}, {depth} below",
                    hit.secret, hit.address
                );
            }
            if remains.example.is_empty() {
                remains.example = format!("{} at {:x}, {len} B", hit.secret, hit.address);
            }
            if hit.mapping == "[stack]" {
                let depth = remains.depths.entry(*len).or_default();
                *depth = (*depth).max(end.saturating_sub(hit.address));
            }
        }
    }

    fn report(&self) -> bool {
        for (what, remains) in &self.found {
            let Remains {
                times,
                depths,
                example,
            } = remains;
            println!(
                "REMAINS: {what}: {times} times, first {example}; depths by length {depths:?}"
            );
        }
        let (states, mib) = (self.states, self.bytes >> 20);
        let places = self.found.len();
        println!("{states} states of memory searched, {mib} MiB, {places} kinds of remains");
        self.found.is_empty() && states > 0 && mib > 0
    }
}

/// What was found of one algorithm, act and stage.
#[derive(Default)]
struct Remains {
    times: usize,
    /// By the length of the text: how far below the frame that waits, in bytes.
    depths: BTreeMap<usize, u64>,
    example: String,
}

/// A process that does what it is asked. It is killed when dropped.
struct Asked {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What was sealed.
    file: PathBuf,
}

impl Asked {
    fn start(command: &mut Command) -> Result<Self, String> {
        let file = env::temp_dir().join(format!("sivka-zeroization-{}", std::process::id()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.env(FILE, &file);
        let mut process = command.spawn().map_err(|e| e.to_string())?;
        let ends = process.stdin.take().zip(process.stdout.take());
        let (input, output) = ends.ok_or("no pipes")?;
        Ok(Self {
            process,
            input,
            output: BufReader::new(output),
            file,
        })
    }

    /// Where a file that belongs to the sealed one is.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut path = self.file.clone().into_os_string();
        path.push(ending);
        path.into()
    }

    /// Writes the identities or the keyset of a request, for who reads such.
    fn write_secrets(&self, request: &Request) -> Result<(), String> {
        let (endings, texts) = match request.act {
            Act::X25519(ending) => (IDENTITIES, identities(Kind::X25519, request.key(), ending)),
            Act::PostQuantum(ending) => (
                IDENTITIES,
                identities(Kind::PostQuantum, request.key(), ending),
            ),
            Act::Keyset | Act::KeysetRefused => {
                let name = request.algorithm.trim_start_matches("keyset:");
                let written = hold::keyset::written(name, request.key());
                (KEYSETS, written.map_err(|e| e.to_string())?)
            }
            _ => return Ok(()),
        };
        for (ending, text) in endings.into_iter().zip(texts) {
            let path = self.beside(ending);
            fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(())
    }

    /// Searches the process at every stage of a request.
    fn search(&mut self, request: &Request, searched: &mut Searched) -> Result<(), String> {
        self.write_secrets(request)?;
        self.write(&request.to_bytes())?;
        loop {
            let (stage, key) = self.stage(request)?;
            let end = self.stack_pointer()?;
            let finder = secrets::of(request, &self.file)?.finder();
            let (mut hits, bytes) = finder.search_process(&self.process)?;
            hits.retain(|hit| !key.contains(&hit.address));
            if stage == "used" && request.is_short() {
                hits.clear();
            }
            hits.extend(finder.search_registers(&process::registers(&self.process)?));
            searched.bytes += bytes;
            searched.add(request, &stage, end, &hits);
            self.write(b"\n")?;
            if stage == "freed" {
                return Ok(());
            }
        }
    }

    /// Where the stack ends of the process, once it waits for its input. Before that, what it
    /// says how far it is may be on the stack with registers of its own program.
    fn stack_pointer(&self) -> Result<u64, String> {
        let path = format!("/proc/{}/syscall", self.process.id());
        let words = loop {
            let words = fs::read_to_string(&path).map_err(|e| e.to_string())?;
            if words.trim() != "running" {
                break words;
            }
            std::thread::yield_now();
        };
        let pointer = words
            .split_whitespace()
            .nth(7)
            .and_then(|word| word.strip_prefix("0x"));
        let pointer = pointer.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        Ok(pointer.unwrap_or(0))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let written = self
            .input
            .write_all(bytes)
            .and_then(|()| self.input.flush());
        written.map_err(|e| format!("the process: {e}"))
    }

    /// How far the process is, and where it keeps the key.
    fn stage(&mut self, request: &Request) -> Result<(String, Range<u64>), String> {
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .map_err(|e| e.to_string())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let Request { algorithm, act, .. } = request;
        let unexpected = || format!("{algorithm}, {}: the process says {line:?}", act.name());
        let [stage, start, len] = words[..] else {
            return Err(unexpected());
        };
        let (Ok(start), Ok(len)) = (start.parse::<u64>(), len.parse::<u64>()) else {
            return Err(unexpected());
        };
        Ok((stage.to_owned(), start..start + len))
    }
}

/// The texts of an identity and of the wrong one, damaged if they are to be refused.
fn identities(kind: Kind, key: &[u8], ending: Ending) -> [Vec<u8>; 2] {
    let mut other = key.to_vec();
    wrong(&mut other);
    [key, &other].map(|key| {
        let mut text = identity_text(kind, key).into_bytes();
        if ending == Ending::Refused
            && let Some(last) = text.last_mut()
        {
            *last = if *last == b'Q' { b'P' } else { b'Q' };
        }
        text
    })
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        for ending in [&IDENTITIES[..], &KEYSETS, &[""]].concat() {
            let _ = fs::remove_file(self.beside(ending));
        }
    }
}
