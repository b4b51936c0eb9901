//! The records of the bench, read back.

use super::kernels::{WORD, digest};
use crate::process::{Failure, project_root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Where every machine has a folder.
pub(super) const RECORDS: &str = "evidence/record";

/// One record: figures, a plot perhaps, and what they were measured with.
pub(super) struct Record {
    pub(super) date: String,
    /// The path without its extension.
    stem: PathBuf,
}

/// What one contender took for one question.
pub(super) struct Figure {
    pub(super) algorithm: String,
    pub(super) operation: String,
    /// The text's length in bytes, or the AAD's where only that is hashed.
    pub(super) len: u64,
    pub(super) contender: String,
    pub(super) is_ours: bool,
    pub(super) min_ns: f64,
}

/// The folders of all machines, by name.
pub(super) fn machines() -> Result<Vec<PathBuf>, Failure> {
    let mut folders: Vec<PathBuf> = files(&project_root().join(RECORDS))?;
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

/// The newest record of a machine with this label.
pub(super) fn newest(machine: &Path, label: &str) -> Result<Record, Failure> {
    let ending = format!("-report-{label}.txt");
    let mut found: Vec<(String, PathBuf)> = files(machine)?
        .into_iter()
        .filter_map(|path| {
            let date = path
                .file_name()?
                .to_str()?
                .strip_suffix(&ending)?
                .to_owned();
            Some((date, path.with_extension("")))
        })
        .collect();
    found.sort();
    let (date, stem) = found
        .pop()
        .ok_or_else(|| Failure::new(format!("{} has no {ending}", machine.display())))?;
    Ok(Record { date, stem })
}

/// The newest record with a label of each machine that has one, and the machine's folder.
pub(super) fn newest_of_all(label: &str) -> Result<Vec<(PathBuf, Record)>, Failure> {
    let with_record = |machine: PathBuf| Some((machine.clone(), newest(&machine, label).ok()?));
    Ok(machines()?.into_iter().filter_map(with_record).collect())
}

/// How many times as long as our fastest the fastest of the others takes for this length.
pub(super) fn ratio(figures: &[&Figure], len: u64) -> Option<f64> {
    let best = |ours: bool| {
        let of_len = figures.iter().filter(|f| f.is_ours == ours && f.len == len);
        of_len.map(|figure| figure.min_ns).min_by(f64::total_cmp)
    };
    Some(best(false)? / best(true)?)
}

/// The members, each where it is first.
pub(super) fn in_order<T: Copy + PartialEq>(members: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for member in members {
        if !found.contains(&member) {
            found.push(member);
        }
    }
    found
}

/// A length as it is read.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |e| Failure::new(format!("{}: {e}", folder.display()));
    let entries = fs::read_dir(folder).map_err(failed)?;
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .collect()
}

impl Record {
    fn file(&self, extension: &str) -> PathBuf {
        self.stem.with_extension(extension)
    }

    /// The path of a file of this record as the page has to name it, if there is one.
    pub(super) fn link(&self, extension: &str) -> Option<String> {
        let path = self.file(extension);
        let relative = path.strip_prefix(project_root()).ok()?;
        path.exists().then(|| format!("../{}", relative.display()))
    }

    /// The text beside the figures.
    pub(super) fn circumstances(&self) -> Result<String, Failure> {
        read(&self.file("txt"))
    }

    /// What a line of the text beside says, such as `cpu`.
    pub(super) fn says(&self, word: &str) -> Result<Option<String>, Failure> {
        let text = self.circumstances()?;
        let line = text.lines().find_map(|line| line.strip_prefix(word));
        Ok(line.map(|rest| rest.trim().to_owned()))
    }

    /// Notes what code was measured.
    pub(super) fn stamp(&self, digest: &str) -> Result<(), Failure> {
        let text = self.circumstances()?;
        let text = format!("{}\n{WORD}    {digest}\n", text.trim_end());
        crate::files::write(&self.file("txt"), text)
    }

    /// Whether the code that decides the figures has changed since.
    pub(super) fn is_older_than(&self, sources: &[&str]) -> Result<bool, Failure> {
        Ok(self.says(WORD)? != Some(digest(sources)?))
    }

    pub(super) fn figures(&self) -> Result<Vec<Figure>, Failure> {
        parse(&read(&self.file("csv"))?)
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| Failure::new(format!("{}: {e}", path.display())))
}

fn parse(text: &str) -> Result<Vec<Figure>, Failure> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines
        .map(|line| {
            let fields: BTreeMap<&str, &str> =
                columns.iter().copied().zip(line.split(',')).collect();
            figure(&fields).ok_or_else(|| Failure::new(format!("not understood: {line}")))
        })
        .collect()
}

fn figure(fields: &BTreeMap<&str, &str>) -> Option<Figure> {
    let number = |name: &str| fields.get(name)?.parse::<u64>().ok();
    let text = |name: &str| fields.get(name).map(|field| (*field).to_owned());
    let algorithm = text("algorithm")?;
    let len = number(if algorithm == "polyval" {
        "aad_len"
    } else {
        "len"
    })?;
    Some(Figure {
        algorithm,
        operation: text("operation")?,
        len,
        contender: text("contender")?,
        is_ours: *fields.get("kind")? == "ours",
        min_ns: fields.get("min_ns")?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_by_the_names_of_their_columns() {
        let text = "operation,algorithm,kind,len,aad_len,contender,min_ns\n\
                    seal,aes-256-gcm-siv,ours,16,0,sivka avx512,60.5\n\
                    seal,polyval,peer,0,1024,AWS-LC,80.0\n";
        let figures = parse(text).unwrap();
        assert_eq!((figures[0].len, figures[0].is_ours), (16, true));
        assert_eq!((figures[1].len, figures[1].is_ours), (1024, false));
        assert_eq!(size(35_756_441), "34.1 MiB");
        assert!(parse("algorithm,len\nx,16\n").is_err());
    }
}
