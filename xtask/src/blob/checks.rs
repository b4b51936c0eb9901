//! What must be true of a blob, or it is not written.

use super::build::{Image, PARTS, tool};
use super::elf::{Relocation, Symbol};
use super::{Architecture, Family};
use crate::process::{Failure, capture};

/// Whether a blob runs wherever it is put, in a program of Go's, and does nothing else.
pub(super) fn hold(
    family: &Family,
    architecture: &Architecture,
    image: &Image,
) -> Result<(), Failure> {
    let mut complaints = nothing_beside(image);
    complaints.extend(no_addresses(image));
    let code = disassembled(image)?;
    complaints.extend(no_forbidden_instructions(family, architecture, &code));
    let symbols = image.elf.symbols();
    for entry in family.entries {
        if !symbols.iter().any(|symbol| symbol.name == entry.name) {
            complaints.push(format!("no entry {}", entry.name));
        }
    }
    if complaints.is_empty() {
        return Ok(());
    }
    let of = format!("{} for {}", family.feature, architecture.go);
    complaints.truncate(20);
    Err(Failure::new(format!(
        "the blob of {of}:\n{}",
        complaints.join("\n")
    )))
}

/// Code and constants are all: no writable memory, and nothing that others have.
fn nothing_beside(image: &Image) -> Vec<String> {
    let beside = image.elf.loaded_beside(&PARTS);
    let sections = beside
        .iter()
        .map(|(name, len)| format!("a section {name} of {len} bytes"));
    let undefined = image.elf.undefined().into_iter();
    let undefined = undefined.map(|name| format!("undefined: {name}"));
    sections.chain(undefined).collect()
}

/// The linker has filled in distances only, which are the same wherever the blob lies.
fn no_addresses(image: &Image) -> Vec<String> {
    // R_X86_64_PC32, PLT32, and GOTPCRELX, of which no table was made.
    const DISTANCES: [u32; 3] = [2, 4, 41];
    let symbols = image.elf.symbols();
    let sections = PARTS.iter().filter_map(|name| image.elf.section(name));
    let relocations = sections.flat_map(|section| image.elf.relocations(section));
    let addresses = relocations.filter(|relocation| !DISTANCES.contains(&relocation.kind));
    addresses
        .map(|Relocation { kind, address }| {
            let inside = name_of(&symbols, address);
            format!("an address (kind {kind}) at {address:#x}, {inside}")
        })
        .collect()
}

fn name_of(symbols: &[Symbol], address: usize) -> &str {
    let holds = |symbol: &&Symbol| {
        symbol.address <= address && address < symbol.address + symbol.len && symbol.len > 0
    };
    symbols
        .iter()
        .find(holds)
        .map_or("?", |symbol| &symbol.name)
}

/// An instruction, and the function that it is in.
struct Instruction {
    function: String,
    text: String,
}

fn disassembled(image: &Image) -> Result<Vec<Instruction>, Failure> {
    let mut command = tool("llvm-objdump")?;
    command.args(["--disassemble", "--section=.text", "--no-show-raw-insn"]);
    let text = capture(command.arg(&image.path))?;
    let mut function = String::new();
    let mut code = Vec::new();
    for line in text.lines() {
        let start = line.split_once(" <").filter(|_| line.ends_with(">:"));
        if let Some((_, name)) = start {
            function = name.trim_end_matches(">:").to_owned();
        } else if let Some((_, instruction)) = line.split_once(":      \t") {
            code.push(Instruction {
                function: function.clone(),
                text: instruction.replace('\t', " "),
            });
        }
    }
    Ok(code)
}

fn no_forbidden_instructions(
    family: &Family,
    architecture: &Architecture,
    code: &[Instruction],
) -> Vec<String> {
    let mut found = Vec::new();
    if code.is_empty() {
        found.push("no instruction was found".to_owned());
    }
    for Instruction { function, text } in code {
        let why = match architecture.go {
            "amd64" => forbidden_on_amd64(family.feature, text),
            _ => Some("nobody knows what is forbidden here"),
        };
        found.extend(why.map(|why| format!("{why}: `{text}` in {function}")));
    }
    found
}

/// What no instruction of x86-64 may do here.
fn forbidden_on_amd64(feature: &str, text: &str) -> Option<&'static str> {
    let name = text.split(' ').next().unwrap_or_default();
    if ["syscall", "sysenter", "int", "in", "out", "hlt"].contains(&name) {
        return Some("asks the system");
    }
    if text.contains("%fs") || text.contains("%gs") {
        return Some("uses memory of a thread");
    }
    if ["cpuid", "xgetbv", "rdtsc"].contains(&name) && feature != "cpu" {
        return Some("asks the CPU again");
    }
    if text.contains("<unknown>") {
        return Some("is no instruction");
    }
    // Below the stack pointer, signals and debuggers may write.
    let mut places = text.match_indices("(%rsp)").map(|(at, _)| &text[..at]);
    let is_below = |before: &str| {
        let distance = before.rsplit([' ', ',']).next();
        distance.is_some_and(|distance| distance.starts_with('-'))
    };
    if places.any(is_below) && name != "leaq" {
        return Some("uses what is below its stack");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line is `feature | instruction | words of the complaint`, which are missing where
    /// there shall be none.
    #[test]
    fn what_is_forbidden_is_found() {
        let cases = "
            gcm-siv | syscall | asks the system
            gcm-siv | int $0x80 | asks the system
            gcm-siv | movq %fs:0x28, %rax | memory of a thread
            gcm-siv | cpuid | asks the CPU
            gcm-siv | <unknown> | no instruction
            gcm-siv | movq %rax, -0x8(%rsp) | below its stack
            gcm-siv | vmovdqa -0x20(%rsp), %ymm0 | below its stack
            cpu | cpuid
            gcm-siv | movq %rax, 0x8(%rsp)
            gcm-siv | leaq -0x40(%rsp), %rsp
            gcm-siv | vmovdqu -0x18b0(%rsp,%rdi), %xmm0
            gcm-siv | movq -0x8(%rax), %rsp";
        for case in cases.lines().map(str::trim).filter(|case| !case.is_empty()) {
            let parts: Vec<&str> = case.split(" | ").collect();
            let found = forbidden_on_amd64(parts[0], parts[1]);
            match parts.get(2) {
                Some(words) => assert!(found.is_some_and(|why| why.contains(words)), "{case}"),
                None => assert_eq!(found, None, "{case}"),
            }
        }
    }
}
