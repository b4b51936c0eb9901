//! What must be true of a blob, or it is not written.

use super::Architecture;
use super::build::{Image, PARTS, tool};
use super::elf::{Relocation, Symbol};
use super::families::Family;
use crate::process::{Failure, capture};

/// Whether a blob runs wherever it is put, in a program of Go's, and does nothing else.
pub(super) fn hold(
    family: &Family,
    architecture: &Architecture,
    image: &Image,
) -> Result<(), Failure> {
    let symbols = image.elf.symbols()?;
    let mut complaints = nothing_beside(image, &symbols)?;
    complaints.extend(no_addresses(architecture, image, &symbols)?);
    let code = disassembled(image)?;
    complaints.extend(no_forbidden_instructions(family, architecture, &code));
    for (_, entry) in family.entries() {
        let name = family.symbol(entry);
        if !symbols.iter().any(|symbol| symbol.name == name) {
            complaints.push(format!("no entry {name}"));
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
fn nothing_beside(image: &Image, symbols: &[Symbol]) -> Result<Vec<String>, Failure> {
    let beside = image.elf.loaded_beside(&PARTS)?.into_iter();
    let sections = beside.map(|(name, len)| format!("a section {name} of {len} bytes"));
    let undefined = symbols
        .iter()
        .filter(|one| one.is_undefined && !one.name.is_empty());
    let undefined = undefined.map(|symbol| format!("undefined: {}", symbol.name));
    Ok(sections.chain(undefined).collect())
}

/// The linker has filled in distances only, which are the same wherever the blob lies.
fn no_addresses(
    architecture: &Architecture,
    image: &Image,
    symbols: &[Symbol],
) -> Result<Vec<String>, Failure> {
    let mut complaints = Vec::new();
    for name in PARTS {
        for Relocation { kind, address } in image.elf.relocations(name)? {
            if !architecture.distances.contains(&kind) {
                let inside = name_of(symbols, address);
                complaints.push(format!(
                    "an address (kind {kind}) at {address:#x}, {inside}"
                ));
            }
        }
    }
    Ok(complaints)
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
        let why = (architecture.forbidden)(family.feature, text);
        found.extend(why.map(|why| format!("{why}: `{text}` in {function}")));
    }
    found
}
