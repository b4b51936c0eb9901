//! Sealing files, one after another.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sivka_file::{Error, Header, Lock, SealOptions, Summary};
#[cfg(unix)]
use zeroize::Zeroizing;

use super::remove::{Remover, may_remove};
use crate::args::Seal;
#[cfg(unix)]
use crate::batch::Entries;
use crate::batch::{Done, Work};
use crate::compression::Compressing;
#[cfg(unix)]
use crate::compression::Form;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, note};
#[cfg(unix)]
use crate::folder::{self, Patterns, Selection};
use crate::input::{self, Input};
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, is_standard, shown};
use crate::output::Output;
use crate::placed::is_same;
use crate::progress::{Progress, size};
use crate::report::Report;
use crate::run::{each_result, once};
use crate::target::Targets;

pub(crate) fn seal(args: &Seal) -> Result<(), Exit> {
    let report = args.reporting.report();
    let files = once(|| not_sealed_yet(input::named(&args.files)?, report))?;
    #[cfg(unix)]
    let excluded = once(|| Patterns::new(&args.packing.exclude, &args.packing.exclude_from))?;
    #[cfg(unix)]
    let selection = Selection {
        excluded: &excluded,
        attributes: !args.packing.no_xattrs,
    };
    let mut targets = once(|| Targets::new(&args.target, &files))?;
    once(|| report.may_share(args.target.is_standard(&files)))?;
    // Those who remove need them as well as those who seal.
    let secrets = RefCell::new(None);
    #[cfg(unix)]
    let folder_len = |path: &Path| folder::measure(path, &excluded);
    #[cfg(not(unix))]
    let folder_len = |_: &Path| 0;
    let progress = Progress::start(args.target.is_quiet(&files), || {
        input::total_len(&files, folder_len)
    });
    let work = |path: &Path, progress: &Progress| {
        let source = Source::open(path)?;
        if args.remove {
            source.may_remove(path, targets.is_stream(path, || sealed_name(path))?)?;
        }
        let mut output = targets.output(path, source.permissions(), || sealed_name(path))?;
        refuse_terminal(&output, args)?;
        let console = args.reporting.console(progress);
        let gather = || {
            console.aside(|console| {
                Secrets::for_sealing((&args.keys, &args.limit), &args.recipients, console)
            })
        };
        let mut secrets = secrets.borrow_mut();
        let secrets = gathered(&mut secrets, gather)?;
        secrets.may_be_replaced_by(output.name())?;
        if args.remove && secrets.are_in(path) {
            let message = "it opens what is sealed now, and --remove would take it away";
            return Err(Failure::new(
                Exit::Usage,
                format!("{}: {message}", shown(path)),
            ));
        }
        secrets.tell_deriving(progress);
        let options = SealOptions {
            suite: args.suite,
            room: args.room.into(),
            ..SealOptions::default()
        };
        let (summary, content_len, folder) = match &source {
            Source::File(input) => {
                let mut content = Counted::new(&input.file, progress);
                let (locks, to) = (secrets.locks(), output.file());
                let sealed = content.seal(args.zstd, to, &locks, &options);
                content.note(path, console);
                let failed = |error| Failure::file(path, output.name(), &error);
                (sealed.map_err(failed)?, content.len, None)
            }
            #[cfg(unix)]
            Source::Folder(_) => seal_folder(
                path,
                selection,
                &mut output,
                &secrets.locks(),
                (args.zstd, &options),
                console,
            )?,
        };
        console.detail(|| {
            let (from, to) = (size(content_len), size(summary.sealed_len));
            let (path, name) = (shown(path), shown(output.name()));
            format!("{path}: {from} sealed to {name}, {to}, {}", summary.suite)
        });
        targets.made(output.name(), path);
        let is_short = source.is_short(path, content_len);
        let has_lost = folder.is_some_and(|folder| folder.has_lost);
        if is_short {
            let (before, now) = (size(source.metadata().len()), size(content_len));
            let what = format!("ended after {now} of {before}");
            console.note(&format!("{}: {what}", shown(path)));
        }
        let done = Done {
            input: path.to_path_buf(),
            metadata: source.metadata().clone(),
            output: output.name().to_path_buf(),
            placed: None,
            content_len,
            folder,
            is_short: is_short || has_lost,
        };
        Ok(Work(output.unnamed(), Box::new(done)))
    };
    let remover = Remover::default();
    each_result(
        &files,
        progress,
        report,
        "sealed",
        work,
        |done| match &*secrets.borrow() {
            Some(secrets) if args.remove => {
                let removed = remover.verify_and_remove(done, &secrets.unlocks());
                removed.map(|()| true)
            }
            _ => Ok(false),
        },
    )
}

/// What is sealed.
enum Source {
    File(Input),
    #[cfg(unix)]
    Folder(Metadata),
}

impl Source {
    fn open(path: &Path) -> Result<Self, Failure> {
        #[cfg(unix)]
        if !is_standard(path)
            && let Ok(found) = std::fs::metadata(path)
            && found.is_dir()
        {
            return Ok(Self::Folder(found));
        }
        Input::open(path).map(Self::File)
    }

    fn metadata(&self) -> &Metadata {
        match self {
            Self::File(input) => input.metadata(),
            #[cfg(unix)]
            Self::Folder(metadata) => metadata,
        }
    }

    /// Whether so many bytes are fewer than the file had when it was opened. Of standard
    /// input, others may have read some before.
    fn is_short(&self, path: &Path, len: u64) -> bool {
        match self {
            Self::File(input) => {
                input.len().is_some_and(|before| len < before)
                    && (!is_standard(path)
                        || !(input.file.metadata())
                            .is_ok_and(|now| is_same(input.metadata(), &now)))
            }
            #[cfg(unix)]
            Self::Folder(_) => false,
        }
    }

    /// The permissions that the result should have.
    fn permissions(&self) -> Option<Permissions> {
        match self {
            Self::File(input) => input.permissions(),
            #[cfg(unix)]
            Self::Folder(metadata) => {
                use std::os::unix::fs::PermissionsExt;
                // Who may enter a folder may not run a file.
                let mode = metadata.permissions().mode() & 0o666;
                Some(Permissions::from_mode(mode | 0o600))
            }
        }
    }

    fn may_remove(&self, path: &Path, to_stream: bool) -> Result<(), Failure> {
        match self {
            Self::File(_) => may_remove(path, to_stream),
            #[cfg(unix)]
            Self::Folder(_) => Err(Failure::new(
                Exit::Usage,
                format!(
                    "{}: --remove is for files, and this is a folder",
                    shown(path)
                ),
            )),
        }
    }
}

/// Content that is read: its first bytes, and how much of it there is.
struct Counted<'a, R> {
    content: R,
    progress: &'a Progress,
    #[cfg(unix)]
    head: Zeroizing<Vec<u8>>,
    len: u64,
    is_compressed: bool,
}

impl<'a, R: Read + Send> Counted<'a, R> {
    fn new(content: R, progress: &'a Progress) -> Self {
        Self {
            content,
            progress,
            #[cfg(unix)]
            head: Zeroizing::new(Vec::with_capacity(folder::MARK_LEN)),
            len: 0,
            is_compressed: false,
        }
    }

    fn seal(
        &mut self,
        zstd: bool,
        output: &mut File,
        locks: &[Lock<'_>],
        options: &SealOptions,
    ) -> Result<Summary, Error> {
        self.is_compressed = zstd;
        match zstd {
            true => {
                let content = Compressing::new(&mut *self).map_err(Error::Read)?;
                sivka_file::seal(content, output, locks, options, |_| {})
            }
            false => sivka_file::seal(self, output, locks, options, |_| {}),
        }
    }

    /// Says of content that looks like what this program makes that it does not come back as it
    /// is.
    fn note(&self, path: &Path, console: Console<'_>) {
        #[cfg(unix)]
        {
            let what = if folder::Content::of(&self.head) != folder::Content::File {
                "is the archive of a sealed folder: `open` makes a folder of it, and \
                 `open --raw` gives the archive"
            } else if !self.is_compressed && Form::of(&self.head) != Form::Plain {
                "is what `seal --zstd` makes of a content: `open` decompresses it, and \
                 `open --raw` gives it as it is"
            } else {
                return;
            };
            console.note(&format!("{}: {what}", shown(path)));
        }
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.content.read(out)?;
        #[cfg(unix)]
        {
            let more = len.min(folder::MARK_LEN - self.head.len());
            self.head.extend_from_slice(&out[..more]);
        }
        self.len += len as u64;
        self.progress.at(self.len);
        Ok(len)
    }
}

/// Seals a folder while it is packed. Says how much there was in it.
#[cfg(unix)]
fn seal_folder(
    path: &Path,
    selection: Selection<'_>,
    output: &mut Output,
    locks: &[Lock<'_>],
    (zstd, options): (bool, &SealOptions),
    console: Console<'_>,
) -> Result<(Summary, u64, Option<Entries>), Failure> {
    use std::os::unix::fs::MetadataExt;
    // The result, and what it replaces, may be in the folder.
    let under_way = output.file().metadata().ok();
    let replaced = std::fs::metadata(output.name()).ok();
    let own: Vec<_> = under_way
        .iter()
        .chain(&replaced)
        .map(|found| (found.dev(), found.ino()))
        .collect();
    let (writer, reader) = folder::pipe();
    let (sealed, packed) = std::thread::scope(|scope| {
        let pack = || folder::pack(path, &own, selection, writer, console);
        let packer = std::thread::Builder::new()
            .spawn_scoped(scope, pack)
            .map_err(|error| Failure::thread(path, &error))?;
        let mut content = Counted::new(reader, console.progress);
        let sealed = content.seal(zstd, output.file(), locks, options);
        let len = content.len;
        // A packer whose reader has gone ends.
        drop(content);
        let packed = packer.join();
        Ok((
            sealed.map(|summary| (summary, len)),
            packed.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        ))
    })?;
    match sealed {
        Err(Error::Read(error)) if error.kind() == io::ErrorKind::OutOfMemory => {
            Err(Failure::io(path, &error))
        }
        // The packer said why it did not end.
        Err(Error::Read(error)) => Err(packed.err().unwrap_or_else(|| Failure::io(path, &error))),
        Err(error) => Err(Failure::file(path, output.name(), &error)),
        Ok((summary, len)) => {
            let packed = packed?;
            let entries = Entries {
                entries: packed.entries,
                left_out: packed.left_out,
                has_lost: packed.has_lost,
            };
            Ok((summary, len, Some(entries)))
        }
    }
}

/// What is told of a file that is sealed already.
#[derive(Serialize)]
struct SealedAlready {
    skipped: bool,
}

/// Of several files, those that are not sealed already: a pattern like `*` also finds what
/// an earlier run has made. A single one is sealed once more, as it was asked for.
fn not_sealed_yet(files: Vec<PathBuf>, report: Report) -> Result<Vec<PathBuf>, Failure> {
    if files.len() == 1 {
        return Ok(files);
    }
    let (sealed, files) = files
        .into_iter()
        .partition::<Vec<_>, _>(|path| is_sealed(path));
    for path in &sealed {
        note(&format!("{}: is sealed already, and left out", shown(path)));
        report.tell_json(path, 0, SealedAlready { skipped: true })?;
    }
    Ok(files)
}

/// Whether the name and the first bytes both say so.
fn is_sealed(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(EXTENSION))
        // Of a pipe, what is read here would be missing later.
        && std::fs::metadata(path).is_ok_and(|found| found.is_file())
        && File::open(path)
            .is_ok_and(|file| !matches!(Header::read(file), Err(Error::NotSivka | Error::Read(_))))
}

fn refuse_terminal(output: &Output, args: &Seal) -> Result<(), Failure> {
    if output.is_terminal() && !args.target.force {
        return Err(
            Failure::new(Exit::Usage, "sealed bytes would garble the terminal")
                .hint("name a file with -o, or print them all the same with --force"),
        );
    }
    Ok(())
}

/// Beside the file or folder, with `.sivka` at the end.
fn sealed_name(path: &Path) -> Result<PathBuf, Failure> {
    let name = path.file_name().ok_or_else(|| {
        Failure::new(
            Exit::Usage,
            format!("{}: has no name of its own", shown(path)),
        )
        .hint("name the target with -o")
    })?;
    let mut name = name.to_owned();
    name.push(".");
    name.push(EXTENSION);
    Ok(path.with_file_name(name))
}
