//! Archives that are the same bytes whenever and wherever they are made: entries in the order
//! of their names, one time, one owner.

use crate::files::{about, listed, read};
use crate::process::Failure;
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// What one name in an archive stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    File(Vec<u8>),
    Program(Vec<u8>),
    /// A symbolic link to another name in the same folder.
    Link(String),
}

/// The content of an archive, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content(BTreeMap<String, Entry>);

impl Content {
    pub(crate) fn add(&mut self, name: impl Into<String>, entry: Entry) {
        self.0.insert(name.into(), entry);
    }

    /// Adds a file of the disk.
    pub(crate) fn add_copy(&mut self, name: impl Into<String>, path: &Path) -> Result<(), Failure> {
        self.add(name, Entry::File(read(path)?));
        Ok(())
    }

    pub(crate) fn add_program(&mut self, name: String, path: &Path) -> Result<(), Failure> {
        self.add(name, Entry::Program(read(path)?));
        Ok(())
    }

    /// Adds every file below a folder.
    pub(crate) fn add_folder(&mut self, prefix: &str, folder: &Path) -> Result<(), Failure> {
        for path in listed(folder)? {
            let name = path.file_name().unwrap_or_default();
            let name = format!("{prefix}{}", name.to_string_lossy());
            if path.is_dir() {
                self.add_folder(&format!("{name}/"), &path)?;
            } else {
                self.add_copy(name, &path)?;
            }
        }
        Ok(())
    }

    /// What a zip archive has in it; links and permissions are not read.
    pub(crate) fn of_zip(path: &Path) -> Result<Self, Failure> {
        let failed = |e: zip::result::ZipError| Failure::new(format!("{}: {e}", path.display()));
        let mut archive = ZipArchive::new(Cursor::new(read(path)?)).map_err(failed)?;
        let mut content = Self::default();
        for at in 0..archive.len() {
            let mut entry = archive.by_index(at).map_err(failed)?;
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(|e| about(path, &e))?;
            if !entry.is_dir() {
                content.add(entry.name(), Entry::File(bytes));
            }
        }
        Ok(content)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, entry)| match entry {
            Entry::File(bytes) | Entry::Program(bytes) => (name.as_str(), bytes.as_slice()),
            Entry::Link(to) => (name.as_str(), to.as_bytes()),
        })
    }

    /// Takes out what has this name.
    pub(crate) fn take(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        match self.0.remove(name) {
            Some(Entry::File(bytes) | Entry::Program(bytes)) => Ok(bytes),
            _ => Err(Failure::new(format!("there is no file {name}"))),
        }
    }

    /// Writes `.tar.gz`, everything in one folder of this name.
    pub(crate) fn write_tar(&self, path: &Path, folder: &str, time: u64) -> Result<(), Failure> {
        let failed = |e: std::io::Error| about(path, &e);
        let file = File::create(path).map_err(failed)?;
        // Neither a time nor a system, which gzip would note.
        let gzip = GzBuilder::new().operating_system(255);
        let mut tar = tar::Builder::new(gzip.write(file, Compression::best()));
        for (name, entry) in &self.0 {
            let mut header = tar::Header::new_gnu();
            header.set_mtime(time);
            header.set_uid(0);
            header.set_gid(0);
            let name = format!("{folder}/{name}");
            let (bytes, mode) = match entry {
                Entry::File(bytes) => (bytes.as_slice(), 0o644),
                Entry::Program(bytes) => (bytes.as_slice(), 0o755),
                Entry::Link(to) => {
                    header.set_entry_type(tar::EntryType::Symlink);
                    header.set_size(0);
                    header.set_mode(0o777);
                    tar.append_link(&mut header, &name, to).map_err(failed)?;
                    continue;
                }
            };
            header.set_size(bytes.len() as u64);
            header.set_mode(mode);
            tar.append_data(&mut header, &name, bytes).map_err(failed)?;
        }
        let file = tar.into_inner().and_then(flate2::write::GzEncoder::finish);
        file.map(drop).map_err(failed)
    }

    /// Writes a zip archive, every name after this prefix. A name that `first` wants in front
    /// comes before the others.
    pub(crate) fn write_zip(&self, path: &Path, zip: &Zip<'_>) -> Result<(), Failure> {
        let failed = |e: zip::result::ZipError| Failure::new(format!("{}: {e}", path.display()));
        let file = File::create(path).map_err(|e| about(path, &e))?;
        let mut archive = ZipWriter::new(file);
        let mut entries: Vec<_> = self.0.iter().collect();
        // The order of names otherwise: sorting is stable.
        entries.sort_by_key(|(name, _)| {
            let place = zip.first.iter().position(|first| first == name);
            place.unwrap_or(zip.first.len())
        });
        for (name, entry) in entries {
            let (bytes, mode) = match entry {
                Entry::File(bytes) => (bytes, 0o644),
                Entry::Program(bytes) => (bytes, 0o755),
                Entry::Link(_) => return Err(Failure::new(format!("{name}: a link in a zip"))),
            };
            let options = SimpleFileOptions::default()
                .compression_method(zip.method)
                .last_modified_time(zip_time(zip.time))
                .unix_permissions(mode);
            let name = format!("{}{name}", zip.prefix);
            archive.start_file(name, options).map_err(failed)?;
            archive.write_all(bytes).map_err(|e| about(path, &e))?;
        }
        archive.finish().map(drop).map_err(failed)
    }
}

/// How a zip archive is written.
pub(crate) struct Zip<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) first: &'a [&'a str],
    pub(crate) method: CompressionMethod,
    /// In seconds since 1970.
    pub(crate) time: u64,
}

/// Midnight (UTC) of the day of this time. Zip has no zone, and counts from 1980.
fn zip_time(time: u64) -> zip::DateTime {
    let (year, month, day) = date(time / 86_400);
    zip::DateTime::from_date_and_time(year, month, day, 0, 0, 0).unwrap_or_default()
}

/// The date of a day after 1970-01-01, by counting.
fn date(mut day: u64) -> (u16, u8, u8) {
    let mut year = 1970;
    loop {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let february = if is_leap { 29 } else { 28 };
        let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, len) in (1..).zip(months) {
            if day < len {
                return (year, month, day as u8 + 1);
            }
            day -= len;
        }
        year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_779), (2026, 11, 22));
    }
}
