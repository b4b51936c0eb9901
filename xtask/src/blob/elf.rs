//! What is read of an ELF file.

use crate::files::read;
use crate::process::Failure;
use object::elf::{SHF_ALLOC, SHT_RELA};
use object::read::elf::{ElfFile64, SectionHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, SectionFlags};
use std::path::Path;

pub(super) type Parsed<'f> = ElfFile64<'f, Endianness>;

pub(super) struct Elf {
    pub(super) file: Vec<u8>,
    path: String,
}

impl Elf {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (file, path) = (read(path)?, path.display().to_string());
        let elf = Self { file, path };
        elf.parsed().map(|_| ())?;
        Ok(elf)
    }

    pub(super) fn parsed(&self) -> Result<Parsed<'_>, Failure> {
        let parsed = ElfFile64::parse(self.file.as_slice());
        parsed.map_err(|e| Failure::new(format!("{}: {e}", self.path)))
    }

    /// The address of a section and its bytes, if it is there.
    pub(super) fn section(&self, name: &str) -> Result<Option<(usize, Vec<u8>)>, Failure> {
        let elf = self.parsed()?;
        let Some(section) = elf.section_by_name(name) else {
            return Ok(None);
        };
        let bytes = section.data();
        let bytes = bytes.map_err(|e| Failure::new(format!("{}, {name}: {e}", self.path)))?;
        Ok(Some((section.address() as usize, bytes.to_vec())))
    }

    /// The bytes in memory of sections that are neither of these, with their names.
    pub(super) fn loaded_beside(&self, names: &[&str]) -> Result<Vec<(String, u64)>, Failure> {
        let elf = self.parsed()?;
        let is_loaded = |flags| matches!(flags, SectionFlags::Elf { sh_flags, .. } if sh_flags.contains(SHF_ALLOC));
        let loaded = elf
            .sections()
            .filter(|one| is_loaded(one.flags()) && one.size() > 0);
        let named = loaded.map(|one| (one.name().unwrap_or("?").to_owned(), one.size()));
        Ok(named
            .filter(|(name, _)| !names.contains(&name.as_str()))
            .collect())
    }

    /// Gives all relocations of one kind another one.
    pub(super) fn change_relocations(&mut self, from: u32, to: u32) -> Result<(), Failure> {
        let elf = self.parsed()?;
        let is_table =
            |header: &object::elf::SectionHeader64<_>| header.sh_type(elf.endian()) == SHT_RELA;
        let tables = elf
            .sections()
            .filter(|one| is_table(one.elf_section_header()));
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
