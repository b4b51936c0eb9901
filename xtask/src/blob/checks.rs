//! Checks of a blob before it is written. The linker has refused undefined names.

use super::Architecture;
use super::build::{Image, PARTS, Parsed, tool};
use super::families::Family;
use crate::process::{Failure, capture};
use object::elf::SHF_ALLOC;
use object::{Object as _, ObjectSection as _, RelocationFlags, SectionFlags};

/// Whether a blob runs wherever it is put, in a program of Go's, and does nothing else.
pub(super) fn hold(
    family: &Family,
    architecture: &Architecture,
    image: &Image,
) -> Result<(), Failure> {
    let elf = image.elf()?;
    // Code and constants are all: no writable memory, and nothing that others have.
    let is_other = |name: &str, flags| {
        matches!(flags, SectionFlags::Elf { sh_flags, .. } if sh_flags.contains(SHF_ALLOC))
            && !PARTS.contains(&name)
    };
    let mut complaints = Vec::new();
    for section in elf.sections().filter(|section| section.size() > 0) {
        let name = section.name().unwrap_or("?");
        if is_other(name, section.flags()) {
            complaints.push(format!("a section {name} of {} bytes", section.size()));
        }
    }
    complaints.extend(addresses(architecture, &elf));
    complaints.extend(forbidden_instructions(family, architecture, image)?);
    if complaints.is_empty() {
        return Ok(());
    }
    complaints.truncate(20);
    let of = format!("{} for {}", family.feature, architecture.go);
    Err(Failure::new(format!("the blob of {of}:\n{}", complaints.join("\n"))))
}

/// Relocations other than distances, which depend on where the blob lies.
fn addresses(architecture: &Architecture, elf: &Parsed<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for section in PARTS.iter().filter_map(|name| elf.section_by_name(name)) {
        for (address, filled) in section.relocations() {
            let kind = match filled.flags() {
                RelocationFlags::Elf { r_type } => r_type.0,
                _ => u32::MAX,
            };
            if !architecture.distances.contains(&kind) {
                found.push(format!("an address (kind {kind}) at {address:#x}"));
            }
        }
    }
    found
}

fn forbidden_instructions(
    family: &Family,
    architecture: &Architecture,
    image: &Image,
) -> Result<Vec<String>, Failure> {
    let mut command = tool("llvm-objdump")?;
    command.args(["--disassemble", "--section=.text", "--no-show-raw-insn"]);
    let text = capture(command.arg(&image.path))?;
    let (mut function, mut count, mut found) = ("", 0, Vec::new());
    for line in text.lines() {
        if let Some((_, name)) = line.split_once(" <").filter(|_| line.ends_with(">:")) {
            function = name.trim_end_matches(">:");
        } else if let Some((_, instruction)) = line.split_once(":      \t") {
            count += 1;
            let text = instruction.replace('\t', " ");
            let why = (architecture.forbidden)(family.feature, &text);
            found.extend(why.map(|why| format!("{why}: `{text}` in {function}")));
        }
    }
    found.extend((count == 0).then(|| "no instruction was found".to_owned()));
    Ok(found)
}
