//! A Go program that enters machine code of ours, watched only there: what Go's runtime does
//! is not the same twice.
//!
//! The program makes every call with secrets of one kind between two marks, and with others up
//! to a third mark, in the same memory. Its calls are paired in their order.

use super::Step;
use super::compare::{Difference, compare};
use super::operands::Operands;
use super::process::{self, Process, Stop};
use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use std::collections::{BTreeMap, HashMap};
use std::process::Command;

/// The largest key: Kuznyechik's, in bindings/go/internal/aead/algorithms.go. Each round makes its
/// own keys, at other addresses.
const KEY_ROOM: u64 = 2944;

/// Functions that get no secret, and those that another thread may call.
const NOT_WATCHED: [&str; 3] = ["knownAnswers", "cpuFeatures", "clearStack"];

/// One call of machine code.
struct Watched {
    entry: u64,
    steps: Vec<Step>,
}

/// Watches both rounds of `program`. Whether none of its calls differed.
pub(crate) fn of_program(program: &str, arguments: &[&str]) -> Result<bool, String> {
    let functions = functions(program)?;
    let mut command = Command::new(program);
    // A thread that is not watched would stop it for a signal.
    command.args(arguments).env("GODEBUG", "asyncpreemptoff=1");
    let core = process::cores().first().copied();
    core.into_iter().for_each(process::stay_on);
    let mut process = Process::start(&mut command)?;
    to_mark(&mut process)?;
    let mut entries = BTreeMap::new();
    for (function, name) in functions {
        entries.insert(machine_code(&process, function)?, name);
    }
    for &entry in entries.keys() {
        process.set_breakpoint(entry)?;
    }
    let mut operands = Operands::new();
    let first = round(&mut process, &mut operands)?;
    let second = round(&mut process, &mut operands)?;
    Ok(report(&entries, &first, &second))
}

/// The functions of Go's assembler in our packages, by their addresses.
fn functions(program: &str) -> Result<BTreeMap<u64, String>, String> {
    let listed = Command::new("go").args(["tool", "nm", program]).output();
    let listed = listed.map_err(|error| format!("go tool nm: {error}"))?;
    let mut functions = BTreeMap::new();
    for line in String::from_utf8_lossy(&listed.stdout).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [address, "T" | "t", name] = words[..] else {
            continue;
        };
        let function = name
            .strip_prefix("sivka.dev/go/")
            .and_then(|name| name.strip_suffix(".abi0"))
            .and_then(|name| name.rsplit_once('.'));
        let Some((_, function)) = function else {
            continue;
        };
        if !NOT_WATCHED.iter().any(|other| function.starts_with(other)) {
            let address = u64::from_str_radix(address, 16).map_err(|e| format!("{line}: {e}"))?;
            functions.insert(address, name.trim_end_matches(".abi0").to_owned());
        }
    }
    match functions.is_empty() {
        true => Err(format!("{program} has none of our machine code")),
        false => Ok(functions),
    }
}

/// The function that Go's assembler calls, by the address that it loads before. Go's check of the
/// stack comes first: it goes two ways when the runtime wants the thread.
fn machine_code(process: &Process, function: u64) -> Result<u64, String> {
    let mut code = [0; 128];
    let len = process.read(function, &mut code)?;
    let mut decoder = Decoder::with_ip(64, &code[..len], function, DecoderOptions::NONE);
    let mut called = None;
    for instruction in &mut decoder {
        match instruction.mnemonic() {
            Mnemonic::Lea if instruction.is_ip_rel_memory_operand() => {
                called = Some(instruction.ip_rel_memory_address());
            }
            Mnemonic::Call => break,
            _ => {}
        }
    }
    called.ok_or_else(|| format!("what {function:#x} calls is unknown"))
}

/// Runs to the next mark, where there is no breakpoint yet.
fn to_mark(process: &mut Process) -> Result<(), String> {
    match process.go_on()? {
        Stop::Mark => Ok(()),
        Stop::Breakpoint(at) => Err(format!("a breakpoint at {at:#x} before the first mark")),
        Stop::Ended(status) => Err(format!("the program ended with {status:#x}")),
    }
}

/// Every call up to the next mark.
fn round(process: &mut Process, operands: &mut Operands) -> Result<Vec<Watched>, String> {
    let mut calls = Vec::new();
    loop {
        match process.go_on()? {
            Stop::Mark => return Ok(calls),
            Stop::Ended(status) => return Err(format!("the program ended with {status:#x}")),
            Stop::Breakpoint(entry) => {
                process.clear_breakpoint(entry)?;
                let steps = to_return(process, operands)?;
                process.set_breakpoint(entry)?;
                calls.push(Watched { entry, steps });
            }
        }
    }
}

/// From the first instruction of machine code to the one after its call. The first argument,
/// in the block that the first register leads to, is where the key is.
fn to_return(process: &mut Process, operands: &mut Operands) -> Result<Vec<Step>, String> {
    let entered = process.registers()?;
    let (back, key) = (process.word(entered.rsp)?, process.word(entered.rdi)?);
    operands.count_from(key..key + KEY_ROOM);
    super::steps(process, operands, |now| now.rip == back && now.rsp > entered.rsp)
}

/// Names every difference for a person. Whether there is none, and every function was called.
fn report(entries: &BTreeMap<u64, String>, first: &[Watched], second: &[Watched]) -> bool {
    let order = |calls: &[Watched]| calls.iter().map(|call| call.entry).collect::<Vec<_>>();
    if order(first) != order(second) {
        println!("LEAK: the second round makes other calls");
        return false;
    }
    let mut found: BTreeMap<Difference, (usize, u64)> = BTreeMap::new();
    let mut functions: HashMap<u64, usize> = HashMap::new();
    let mut steps = 0;
    for (a, b) in first.iter().zip(second) {
        *functions.entry(a.entry).or_default() += 1;
        steps += a.steps.len() + b.steps.len();
        for difference in compare(&a.steps, &b.steps) {
            found.entry(difference).or_insert((0, a.entry)).0 += 1;
        }
    }
    for ((at, kind), (count, entry)) in &found {
        let call = &entries[entry];
        println!("LEAK: {kind} in {count} calls, first of {call}, at {at:#x} of the program");
    }
    let missing: Vec<_> =
        entries.iter().filter(|(entry, _)| !functions.contains_key(entry)).collect();
    for (_, name) in &missing {
        println!("NOT CALLED: {name}");
    }
    println!(
        "{} calls of {} functions, {steps} instructions, {} places where a secret shows",
        first.len(),
        functions.len(),
        found.len()
    );
    found.is_empty() && missing.is_empty()
}
