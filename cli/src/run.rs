//! A run over files, one after another: failures, results, totals.

use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::console::{Console, size};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::shown;
use crate::report::{Name, Report};

/// The result for one input. It is complete, durable, and has its name.
pub(crate) struct Done {
    pub(crate) output: PathBuf,
    /// Bytes of content that were sealed or opened.
    pub(crate) content_len: u64,
    /// The entries, if it is a folder.
    pub(crate) folder: Option<Entries>,
    /// Whether something is missing, or changed while it was read. It was named.
    pub(crate) is_partial: bool,
    pub(crate) removed: bool,
}

/// How much of a folder there is.
#[derive(Serialize)]
pub(crate) struct Entries {
    /// Entries, the folder itself included.
    pub(crate) entries: u64,
    /// Entries that were left out, and named.
    pub(crate) left_out: u64,
    /// Left-out entries, and entries that are not complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) named: Vec<NamedEntry>,
}

/// An entry of a folder, and why it is not complete.
pub(crate) struct NamedEntry(pub(crate) PathBuf, pub(crate) String);

impl Serialize for NamedEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            #[serde(flatten)]
            entry: Name<'a>,
            why: &'a str,
        }
        let Self(path, why) = self;
        let entry = Name("entry", path);
        Record { entry, why }.serialize(serializer)
    }
}

/// Does `work`, reports its failure, and returns the exit status of that.
pub(crate) fn once<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Exit> {
    work().map_err(|failure| {
        failure.report();
        failure.exit
    })
}

/// The same for work on one file, whose failure is told as its result would be.
pub(crate) fn one<T>(
    file: Option<&Path>,
    report: Report,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Exit> {
    work().map_err(|failure| {
        failure.report();
        report.failure_object(file, &failure);
        failure.exit
    })
}

/// The same for work before the first of the files, without which none of them can be done.
pub(crate) fn for_all<T>(
    files: &[PathBuf],
    report: Report,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Exit> {
    work().map_err(|failure| {
        failure.report();
        files.iter().for_each(|file| report.failure_object(Some(file), &failure));
        failure.exit
    })
}

/// Does `work` on every file, also on those after one that failed, and returns the exit status of
/// the first failure.
pub(crate) fn each(
    files: &[PathBuf],
    console: &Console,
    report: Report,
    mut work: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<(), Exit> {
    let mut first = Ok(());
    for (index, file) in files.iter().enumerate() {
        console.next(&shown(file));
        if let Err(failure) = work(file) {
            console.aside(|| failure.report());
            let told = if failure.ends_run { &files[index..] } else { &files[index..=index] };
            told.iter().for_each(|file| report.failure_object(Some(file), &failure));
            first = first.and(Err(failure.exit));
            if failure.ends_run {
                break;
            }
        }
    }
    first
}

/// The report of `seal` and `open` on a file.
#[derive(Serialize)]
struct ResultRecord<'a> {
    #[serde(flatten)]
    output: Name<'a>,
    content_len: u64,
    #[serde(flatten)]
    folder: Option<Entries>,
    removed: bool,
}

/// The same for work that makes a result of each file, and reports it. On the terminal, `verb`
/// names the work.
pub(crate) fn each_result(
    files: &[PathBuf],
    console: Console,
    report: Report,
    verb: &str,
    mut work: impl FnMut(&Path, &Console) -> Result<Done, Failure>,
) -> Result<(), Exit> {
    let (mut count, mut bytes, mut last, mut partial) = (0u64, 0, None, false);
    let status = each(files, &console, report, |file| {
        let done = work(file, &console)?;
        let status = if done.is_partial { Exit::LeftOut as u8 } else { 0 };
        partial |= done.is_partial;
        count += 1;
        bytes += done.content_len;
        let record = ResultRecord {
            output: Name("output", &done.output),
            content_len: done.content_len,
            folder: done.folder,
            removed: done.removed,
        };
        console.aside(|| report.tell_json(file, status, record))?;
        last = Some(done.output);
        Ok(())
    });
    match (count, &last) {
        (1, Some(name)) => console.finish(&format!("{}: {verb} {}", shown(name), size(bytes))),
        (2.., _) => console.finish(&format!("{count} files: {verb} {}", size(bytes))),
        _ => {}
    }
    match partial {
        true => status.and(Err(Exit::LeftOut)),
        false => status,
    }
}
