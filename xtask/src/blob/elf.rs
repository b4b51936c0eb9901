//! What is read of an ELF file.

use crate::files::read;
use crate::process::Failure;
use object::elf::{SHF_ALLOC, SHT_RELA};
use object::read::elf::{ElfFile64, SectionHeader as _};
use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, SectionFlags,
};
use std::path::Path;

pub(super) struct Elf {
    file: Vec<u8>,
    path: String,
}

/// A function or a constant.
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) address: usize,
    pub(super) len: usize,
    pub(super) is_undefined: bool,
}

/// A place that the linker has filled in.
pub(super) struct Relocation {
    pub(super) address: usize,
    pub(super) kind: u32,
}

impl Elf {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let elf = Self {
            file: read(path)?,
            path: path.display().to_string(),
        };
        elf.parsed().map(|_| ())?;
        Ok(elf)
    }

    pub(super) fn file(&self) -> &[u8] {
        &self.file
    }

    fn parsed(&self) -> Result<ElfFile64<'_, Endianness>, Failure> {
        let parsed = ElfFile64::parse(self.file.as_slice());
        parsed.map_err(|e| Failure::new(format!("{}: {e}", self.path)))
    }

    /// The address of a section and its bytes, if it is there.
    pub(super) fn section(&self, name: &str) -> Result<Option<(usize, Vec<u8>)>, Failure> {
        let failed = |e| Failure::new(format!("{}, {name}: {e}", self.path));
        let elf = self.parsed()?;
        let bytes = |section: object::read::elf::ElfSection64<'_, '_, Endianness>| {
            Ok((
                section.address() as usize,
                section.data().map_err(failed)?.to_vec(),
            ))
        };
        elf.section_by_name(name).map(bytes).transpose()
    }

    /// The bytes in memory of sections that are neither of these, with their names.
    pub(super) fn loaded_beside(&self, names: &[&str]) -> Result<Vec<(String, u64)>, Failure> {
        let elf = self.parsed()?;
        let is_loaded = |flags| matches!(flags, SectionFlags::Elf { sh_flags, .. } if sh_flags.contains(SHF_ALLOC));
        let others = elf
            .sections()
            .filter(|one| is_loaded(one.flags()) && one.size() > 0);
        let others = others.map(|one| (one.name().unwrap_or("?").to_owned(), one.size()));
        Ok(others
            .filter(|(name, _)| !names.contains(&name.as_str()))
            .collect())
    }

    pub(super) fn symbols(&self) -> Result<Vec<Symbol>, Failure> {
        let elf = self.parsed()?;
        let symbols = elf.symbols().map(|symbol| Symbol {
            name: symbol.name().unwrap_or_default().to_owned(),
            address: symbol.address() as usize,
            len: symbol.size() as usize,
            is_undefined: symbol.is_undefined(),
        });
        Ok(symbols.collect())
    }

    /// What the linker has filled in of a section.
    pub(super) fn relocations(&self, of: &str) -> Result<Vec<Relocation>, Failure> {
        let elf = self.parsed()?;
        let relocations = elf
            .section_by_name(of)
            .into_iter()
            .flat_map(|one| one.relocations());
        let relocations = relocations.map(|(address, filled)| Relocation {
            address: address as usize,
            kind: match filled.flags() {
                RelocationFlags::Elf { r_type } => r_type.0,
                _ => u32::MAX,
            },
        });
        Ok(relocations.collect())
    }

    /// Gives all relocations of one kind another one.
    pub(super) fn change_relocations(&mut self, from: u32, to: u32) -> Result<(), Failure> {
        let elf = self.parsed()?;
        let tables = elf
            .sections()
            .filter(|one| one.elf_section_header().sh_type(elf.endian()) == SHT_RELA);
        let tables: Vec<_> = tables.filter_map(|one| one.file_range()).collect();
        for (start, len) in tables {
            // Each is an offset, its kind in the lower half of the next word, and an addend.
            for entry in self.file[start as usize..(start + len) as usize].chunks_exact_mut(24) {
                if entry[8..12] == from.to_le_bytes() {
                    entry[8..12].copy_from_slice(&to.to_le_bytes());
                }
            }
        }
        Ok(())
    }
}
