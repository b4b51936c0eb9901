//! What must be true of a blob, or it is not written.

use super::Architecture;
use super::build::{Image, PARTS, tool};
use super::elf::Parsed;
use super::families::Family;
use crate::process::{Failure, capture};
use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags,
    elf::FileHeader64, read::elf,
};

type ElfSymbol<'f> = elf::ElfSymbol<'f, 'f, FileHeader64<Endianness>>;

/// Whether a blob runs wherever it is put, in a program of Go's, and does nothing else.
pub(super) fn hold(
    family: &Family,
    architecture: &Architecture,
    image: &Image,
) -> Result<(), Failure> {
    let elf = image.elf.parsed()?;
    let mut complaints = Vec::new();
    // Code and constants are all: no writable memory, and nothing that others have.
    for (name, len) in image.elf.loaded_beside(&PARTS)? {
        complaints.push(format!("a section {name} of {len} bytes"));
    }
    let names = |is_undefined: bool| {
        let symbols = elf
            .symbols()
            .filter(move |one| one.is_undefined() == is_undefined);
        symbols.filter_map(|one| one.name().ok().filter(|name| !name.is_empty()))
    };
    complaints.extend(names(true).map(|name| format!("undefined: {name}")));
    for (_, entry) in family.entries() {
        let name = family.symbol(entry);
        if !names(false).any(|symbol| symbol == name) {
            complaints.push(format!("no entry {name}"));
        }
    }
    complaints.extend(addresses(architecture, &elf));
    let code = disassembled(image)?;
    complaints.extend(forbidden_instructions(family, architecture, &code));
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

/// What the linker has filled in that is no distance, which is the same wherever the blob lies.
fn addresses(architecture: &Architecture, elf: &Parsed<'_>) -> Vec<String> {
    let sections = PARTS.iter().filter_map(|name| elf.section_by_name(name));
    let filled = sections.flat_map(|section| section.relocations().collect::<Vec<_>>());
    let addresses = filled.filter_map(|(address, filled)| {
        let kind = match filled.flags() {
            RelocationFlags::Elf { r_type } => r_type.0,
            _ => u32::MAX,
        };
        let holds = |symbol: &ElfSymbol<'_>| {
            symbol.address() <= address && address - symbol.address() < symbol.size()
        };
        let inside = elf.symbols().find(holds);
        let inside = inside.and_then(|symbol| symbol.name().ok().map(str::to_owned));
        let inside = inside.unwrap_or_default();
        let is_address = !architecture.distances.contains(&kind);
        is_address.then(|| format!("an address (kind {kind}) at {address:#x}, {inside}"))
    });
    addresses.collect()
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

fn forbidden_instructions(
    family: &Family,
    architecture: &Architecture,
    code: &[Instruction],
) -> Vec<String> {
    let mut found = Vec::new();
    if code.is_empty() {
        found.push("no instruction was found".to_owned());
    }
    for Instruction { function, text } in code {
        let why = (architecture.forbidden)(family.feature, text);
        found.extend(why.map(|why| format!("{why}: `{text}` in {function}")));
    }
    found
}
