//! Parts of keys that stay in memory. A process makes a call of the list, with a key of its own, and this
//! one searches its memory for the key and for everything derived from it.

mod algorithms;
mod command;
mod files;
mod hold;
mod identity;
mod memory;
mod process;
mod secrets;

pub(crate) use command::of_command;
pub(crate) use hold::hold;
pub(crate) use process::end_in_time;

use crate::calls::{Call, Of};
use crate::secret::Seed;
use memory::Hit;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A written request: words, padded with spaces, and a key, padded with other bytes. AES-SIV-512
/// has the longest keys.
const WORDS_LEN: usize = 96;
const KEY_LEN: usize = 64;

/// Has this program make every call, started again, and searches it. Whether nothing was found.
pub(crate) fn of_calls(calls: &[Call]) -> Result<bool, String> {
    let program = env::current_exe().map_err(|e| e.to_string())?;
    let mut process = Asked::start(Command::new(program).arg("hold"), false)?;
    process.control("kept")?;
    let mut searched = Searched::default();
    let done = calls.iter().enumerate().try_for_each(|(number, call)| {
        let (request, seed) = (number.to_string(), Seed::of(number as u64));
        process.search(&request, call.of, seed, &call.name, &mut searched)
    });
    // Findings before its end count too.
    let is_clean = searched.report();
    done.map(|()| is_clean)
}

/// Lets a program in C or Go make all calls, and searches it. In Go, keys are wiped on another
/// stack than the one that they were used on, unless `Wipe` is called after every message: remains
/// of a call stay (bindings/go/README.md). Without `Wipe`, only unused keys are searched for.
pub(crate) fn of_program(command: &mut Command, wipes: bool) -> Result<bool, String> {
    let acts: &[&str] = match wipes {
        true => &["set-up", "refused", "seal", "open", "forged", "batch", "batch-forged"],
        false => &["set-up", "refused"],
    };
    let mut process = Asked::start(command, true)?;
    process.control("XChaCha20-BLAKE2b kept 100 32")?;
    let (mut searched, mut number) = (Searched::default(), 0);
    for (act, algorithm) in
        acts.iter().flat_map(|act| sivka::Algorithm::all().iter().map(move |of| (*act, of)))
    {
        let (lens, messages): (&[usize], _) = match act {
            "set-up" | "refused" => (&[16], 0),
            "batch" | "batch-forged" => (&[16, 100, 600, 3000, 9000, 70_000], 19),
            _ => (&[16, 100, 600, 3000, 9000, 70_000], 1),
        };
        for len in lens {
            number += 1;
            let (name, key_len) = (algorithm.name(), algorithm.key_len());
            let request = format!("{name} {act} {len} {key_len}");
            let of = Of::Key(name, messages);
            process.search(&request, of, Seed::of(number), &request, &mut searched)?;
        }
    }
    Ok(searched.report())
}

/// The searched states, and the findings.
#[derive(Default)]
struct Searched {
    states: usize,
    bytes: usize,
    /// By call, stage and place: how often, and an example.
    found: BTreeMap<String, (usize, String)>,
}

impl Searched {
    /// `end` is where the stack ends.
    fn add(&mut self, what: &str, end: u64, hits: &[Hit]) {
        self.states += 1;
        for Hit { secret, address, mapping } in hits {
            let below = end.saturating_sub(*address);
            let example = || (0, format!("{secret} at {address:x}, {below} below the stack's end"));
            let what = format!("{what}, in {mapping}");
            self.found.entry(what).or_insert_with(example).0 += 1;
        }
    }

    fn report(&self) -> bool {
        for (what, (times, example)) in &self.found {
            println!("REMAINS: {what}: {times} times, first {example}");
        }
        let (states, mib) = (self.states, self.bytes >> 20);
        let places = self.found.len();
        println!("{states} states of memory searched, {mib} MiB, {places} kinds of remains");
        self.found.is_empty() && states > 0 && mib > 0
    }
}

/// A process that makes calls on request. It is killed when dropped.
struct Asked {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    takes_keys: bool,
}

/// The state of a process, the address of its key, and its sealed output.
struct Stage {
    name: String,
    key: std::ops::Range<u64>,
    sealed: Vec<u8>,
}

impl Asked {
    fn start(command: &mut Command, takes_keys: bool) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|e| e.to_string())?;
        let ends = process.stdin.take().zip(process.stdout.take());
        let (input, output) = ends.ok_or("no pipes")?;
        Ok(Self { process, input, output: BufReader::new(output), takes_keys })
    }

    /// Has a key kept. Who does not find it has said nothing of the others. It is one that every
    /// tier keeps as bytes: `portable` keeps those of AES as bits in words.
    fn control(&mut self, request: &str) -> Result<(), String> {
        let (mut searched, of) = (Searched::default(), Of::Key("XChaCha20-BLAKE2b", 1));
        self.search(request, of, Seed::of(u64::MAX / 2), "control", &mut searched)?;
        match searched.found.len() {
            0 => Err("a key that was kept was not found".to_owned()),
            kinds => {
                println!("control: {kinds} kinds of remains of a key that was kept");
                Ok(())
            }
        }
    }

    /// Searches the process at every stage of a request.
    fn search(
        &mut self,
        request: &str,
        of: Of,
        seed: Seed,
        what: &str,
        searched: &mut Searched,
    ) -> Result<(), String> {
        let mut bytes = request.as_bytes().to_vec();
        bytes.resize(WORDS_LEN, b' ');
        // Programs with the list make their keys themselves: a pipe keeps its bytes.
        if self.takes_keys {
            bytes.extend_from_slice(&seed.unmarked().bytes(KEY_LEN));
        }
        self.write(&bytes)?;
        loop {
            let stage = self.stage().map_err(|why| format!("{what}: {why}"))?;
            let end = self.stack_pointer()?;
            let finder = secrets::of(of, seed, &stage.sealed)?.finder();
            let (mut hits, bytes) = finder.search_process(self.process.id().cast_signed())?;
            hits.retain(|hit| !stage.key.contains(&hit.address));
            // It overwrites nothing: its remains go with the key.
            if stage.name == "short" {
                hits.clear();
            }
            hits.extend(finder.search_registers(&process::registers(&self.process)?));
            searched.bytes += bytes;
            searched.add(&format!("{what}, {}", stage.name), end, &hits);
            self.write(b"\n")?;
            if stage.name == "freed" {
                return Ok(());
            }
        }
    }

    /// The end of the process's stack when it waits for its input. Before that, its report may be
    /// on the stack with registers of its own program.
    fn stack_pointer(&self) -> Result<u64, String> {
        let path = format!("/proc/{}/syscall", self.process.id());
        let words = loop {
            let words = fs::read_to_string(&path).map_err(|e| e.to_string())?;
            if words.trim() != "running" {
                break words;
            }
            std::thread::yield_now();
        };
        let pointer = words.split_whitespace().nth(7).and_then(|word| word.strip_prefix("0x"));
        let pointer = pointer.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        Ok(pointer.unwrap_or(0))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let written = self.input.write_all(bytes).and_then(|()| self.input.flush());
        written.map_err(|e| format!("the process: {e}"))
    }

    fn stage(&mut self) -> Result<Stage, String> {
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|e| e.to_string())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let (Some(name), &[start, len, sealed]) = (words.first(), &numbers[..]) else {
            return Err(format!("the process says {line:?}"));
        };
        let mut bytes = vec![0; sealed as usize];
        self.output.read_exact(&mut bytes).map_err(|e| e.to_string())?;
        Ok(Stage { name: (*name).to_owned(), key: start..start + len, sealed: bytes })
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
