//! What is read of an ELF file of 64 bits, the least significant byte first.

use crate::files::about;
use crate::process::Failure;
use std::fs;
use std::path::Path;

pub(super) struct Elf {
    file: Vec<u8>,
    sections: Vec<Section>,
}

/// A part of the file.
#[derive(Clone)]
pub(super) struct Section {
    pub(super) name: String,
    kind: u32,
    pub(super) address: usize,
    offset: usize,
    pub(super) len: usize,
    /// Of a table of symbols, the one of their names; of relocations, that of the symbols.
    link: usize,
    /// Of relocations, the section that they are of.
    info: usize,
}

/// A function or a constant.
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) address: usize,
    pub(super) len: usize,
    /// The section that it is in.
    section: usize,
}

/// A place that the linker has filled in.
pub(super) struct Relocation {
    pub(super) address: usize,
    pub(super) kind: u32,
}

const SYMBOLS: u32 = 2;
const RELOCATIONS: u32 = 4;
const NO_BITS: u32 = 8;
const RELOCATION_LEN: usize = 24;
const SYMBOL_LEN: usize = 24;

impl Elf {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let file = fs::read(path).map_err(|e| about(path, &e))?;
        let parsed = sections(&file);
        let sections = parsed.ok_or_else(|| Failure::new(format!("{}: no ELF", path.display())))?;
        Ok(Self { file, sections })
    }

    pub(super) fn file(&self) -> &[u8] {
        &self.file
    }

    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    pub(super) fn bytes_of(&self, section: &Section) -> &[u8] {
        self.file
            .get(section.offset..section.offset + section.len)
            .unwrap_or_default()
    }

    /// The bytes in memory of sections that are neither of these, with their names.
    pub(super) fn loaded_beside(&self, names: &[&str]) -> Vec<(&str, usize)> {
        const LOADED: [u32; 5] = [1, NO_BITS, 14, 15, 16];
        let others = self.sections.iter().filter(|section| {
            let is_code = names.contains(&section.name.as_str());
            LOADED.contains(&section.kind) && section.len > 0 && !is_code
        });
        others
            .map(|section| (section.name.as_str(), section.len))
            .collect()
    }

    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let mut found = Vec::new();
        for table in self
            .sections
            .iter()
            .filter(|section| section.kind == SYMBOLS)
        {
            let names = self.sections.get(table.link);
            let names = names.map_or(&[][..], |names| self.bytes_of(names));
            for symbol in self.bytes_of(table).chunks_exact(SYMBOL_LEN) {
                found.push(Symbol {
                    name: name_at(names, word(symbol, 0)),
                    section: half(symbol, 6),
                    address: long(symbol, 8),
                    len: long(symbol, 16),
                });
            }
        }
        found
    }

    /// The names that are used and nobody has.
    pub(super) fn undefined(&self) -> Vec<String> {
        let symbols = self.symbols().into_iter();
        let undefined = symbols.filter(|symbol| symbol.section == 0 && !symbol.name.is_empty());
        undefined.map(|symbol| symbol.name).collect()
    }

    /// What the linker has filled in of a section.
    pub(super) fn relocations(&self, of: &Section) -> Vec<Relocation> {
        let tables = self.sections.iter().filter(|table| {
            let section = self.sections.get(table.info);
            table.kind == RELOCATIONS && section.is_some_and(|section| section.name == of.name)
        });
        let entries = tables.flat_map(|table| self.bytes_of(table).chunks_exact(RELOCATION_LEN));
        entries
            .map(|entry| Relocation {
                address: long(entry, 0),
                kind: word(entry, 8) as u32,
            })
            .collect()
    }

    /// Gives all relocations of one kind another one.
    pub(super) fn change_relocations(&mut self, from: u32, to: u32) {
        let tables = self
            .sections
            .iter()
            .filter(|table| table.kind == RELOCATIONS);
        for table in tables {
            let bytes = &mut self.file[table.offset..table.offset + table.len];
            for entry in bytes.chunks_exact_mut(RELOCATION_LEN) {
                if word(entry, 8) as u32 == from {
                    entry[8..12].copy_from_slice(&to.to_le_bytes());
                }
            }
        }
    }
}

fn sections(file: &[u8]) -> Option<Vec<Section>> {
    const CLASS_64_LITTLE: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];
    if !file.starts_with(&CLASS_64_LITTLE) || file.len() < 64 {
        return None;
    }
    let (table, count, names) = (long(file, 0x28), half(file, 0x3c), half(file, 0x3e));
    let headers: Vec<&[u8]> = file.get(table..)?.chunks_exact(64).take(count).collect();
    let names = headers.get(names)?;
    let names = file.get(long(names, 24)..long(names, 24) + long(names, 32))?;
    let section = |header: &&[u8]| Section {
        name: name_at(names, word(header, 0)),
        kind: word(header, 4) as u32,
        address: long(header, 16),
        offset: long(header, 24),
        len: long(header, 32),
        link: word(header, 40),
        info: word(header, 44),
    };
    Some(headers.iter().map(section).collect())
}

/// The name that begins at a place of a table and ends with a zero.
fn name_at(names: &[u8], start: usize) -> String {
    let rest = names.get(start..).unwrap_or_default();
    let name = rest.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(name).into_owned()
}

fn half(bytes: &[u8], at: usize) -> usize {
    number(bytes, at, 2)
}

fn word(bytes: &[u8], at: usize) -> usize {
    number(bytes, at, 4)
}

fn long(bytes: &[u8], at: usize) -> usize {
    number(bytes, at, 8)
}

fn number(bytes: &[u8], at: usize, len: usize) -> usize {
    let digits = bytes.get(at..at + len).unwrap_or_default();
    digits
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | usize::from(*byte))
}
