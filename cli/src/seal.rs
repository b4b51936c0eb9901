//! Sealing files and folders, one after another.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sivka_file::{Error, Header, Kind, OpenOptions, Reader, SealOptions, Writer};

use crate::args::Seal;
use crate::console::{Console, size};
use crate::copy::{CopyError, copy, copy_ahead};
use crate::exit::Exit;
use crate::failure::{Failure, note};
#[cfg(unix)]
use crate::folder;
use crate::input::{Input, named, total_len};
use crate::keys::{Secrets, gathered};
use crate::name::{EXTENSION, is_standard, shown};
use crate::output::Output;
use crate::report::Report;
use crate::run::{Done, each_result, for_all, once};
use crate::target::{Targets, remove_input};
use crate::zstd;

pub(crate) fn seal(args: &Seal) -> Result<(), Exit> {
    let report = args.reporting.report();
    let files = once(|| not_sealed_yet(named(&args.files)?, report))?;
    #[cfg(unix)]
    for_all(&files, report, || folder::excluded(args, None).map(drop))?;
    let inputs = [&files[..], &args.exclude_from];
    let mut targets = for_all(&files, report, || Targets::new(&args.target, inputs))?;
    once(|| report.may_share(args.target.is_standard(&files)))?;
    let quiet = args.target.is_quiet(&files);
    let console = Console::start(quiet, args.reporting.verbose, || {
        total_len(&files, |path| Source::folder_len(args, path))
    });
    let mut secrets = None;
    each_result(&files, console, report, "sealed", |path, console| {
        let done = seal_one(args, path, &targets, &mut secrets, console)?;
        targets.made(&done.output, path);
        Ok(done)
    })
}

fn seal_one(
    args: &Seal,
    path: &Path,
    targets: &Targets<'_>,
    secrets: &mut Option<Secrets>,
    console: &Console,
) -> Result<Done, Failure> {
    let source = Source::open(path)?;
    if args.remove && source.is_folder() {
        let message = format!("{}: --remove is for files, and this is a folder", shown(path));
        return Err(Failure::new(Exit::Usage, message));
    }
    let permissions = source.permissions();
    let target = targets.target(path, args.remove, || sealed_name(path))?;
    let mut output = targets.output(target.as_deref(), permissions)?;
    output.refuse_terminal()?;
    let keys = (&args.keys, &args.limit);
    let gather = || console.aside(|| Secrets::for_sealing(keys, &args.recipients, console));
    let secrets = gathered(secrets, gather)?;
    secrets.may_be_replaced_by(output.name())?;
    if args.remove && secrets.are_in(path) {
        let message = "it opens what is sealed now, and --remove would take it away";
        return Err(Failure::new(Exit::Usage, format!("{}: {message}", shown(path))));
    }
    let mut sealed = seal_content(args, path, &source, &mut output, secrets, console)?;
    let name = output.name().to_path_buf();
    output.commit()?;
    console.detail(|| {
        let (path, name, len) = (shown(path), shown(&name), size(sealed.content_len));
        format!("{path}: {len} sealed to {name}, {}", args.suite)
    });
    if args.remove && !sealed.is_partial {
        verify(&name, sealed.content_len, secrets, &args.limit.options())?;
        remove_input(path, source.metadata())?;
        sealed.removed = true;
    }
    Ok(sealed)
}

/// Seals all of `source`, and checks whether it changed meanwhile.
fn seal_content(
    args: &Seal,
    path: &Path,
    source: &Source,
    output: &mut Output,
    secrets: &Secrets,
    console: &Console,
) -> Result<Done, Failure> {
    let name = output.name().to_path_buf();
    let options = SealOptions {
        suite: args.suite,
        spare_slots: args.spare_slots.into(),
        kind: match (source.is_folder(), args.zstd) {
            (false, false) => Kind::File,
            (true, false) => Kind::Folder,
            (false, true) => Kind::CompressedFile,
            (true, true) => Kind::CompressedFolder,
        },
        ..SealOptions::default()
    };
    #[cfg(unix)]
    let own = folder::files_of_run(output);
    let failed = |error: Error| Failure::file(path, &name, &error);
    let mut writer = Writer::new(output, &secrets.locks(console), &options).map_err(failed)?;
    let mark = writer.archive_mark();
    let fill = |to: &mut (dyn Write + Send)| match source {
        Source::File(input) => {
            let from = (&mut &input.file as &mut (dyn Read + Send), input.is_seekable());
            let len = match copy_ahead(from, to, console) {
                Ok(len) => len,
                Err(CopyError::Read(error)) => return Err(Failure::io(path, &error)),
                Err(CopyError::Write(error)) => return Err(Failure::content(&name, error)),
            };
            let is_partial = note_changes(path, input, len, console);
            Ok((len, None, is_partial))
        }
        #[cfg(unix)]
        Source::Folder(_) => folder::pack(args, path, &own, (to, mark), (&name, console)),
        #[cfg(not(unix))]
        Source::Folder(_) => Err(Failure::io(path, &io::ErrorKind::IsADirectory.into())),
    };
    let content = |error| Failure::content(&name, error);
    let (content_len, folder, is_partial) = match args.zstd {
        false => fill(&mut writer)?,
        true => {
            let mut compressed = zstd::Writer::new(&mut writer, mark).map_err(content)?;
            let filled = fill(&mut compressed)?;
            compressed.finish().map_err(content)?;
            filled
        }
    };
    writer.finish().map_err(failed)?;
    Ok(Done { output: name, content_len, folder, is_partial, removed: false })
}

/// Names a file that was not sealed whole, or that changed meanwhile. Other programs may have read
/// a part of standard input before.
fn note_changes(path: &Path, input: &Input, len: u64, console: &Console) -> bool {
    let Some(before) = input.len() else {
        return false;
    };
    let now = input.file.metadata();
    let is_same = now.is_ok_and(|now| {
        now.len() == before && now.modified().ok() == input.metadata.modified().ok()
    });
    if is_same && (len == before || is_standard(path)) {
        return false;
    }
    let what = match len < before {
        true => format!("ended after {} of {}", size(len), size(before)),
        false => "changed while it was read".to_owned(),
    };
    console.note(&format!("{}: {what}", shown(path)));
    true
}

/// Opens the result once more, with the given keys.
fn verify(
    path: &Path,
    content_len: u64,
    secrets: &Secrets,
    options: &OpenOptions,
) -> Result<(), Failure> {
    let kept = |failure: Failure| failure.with("its input is kept");
    let failed = |error: Error| kept(Failure::file(path, path, &error));
    let file = File::open(path).map_err(|error| kept(Failure::io(path, &error)))?;
    let reader = Reader::new(file, &secrets.unlocks(), options).map_err(failed)?;
    let mut content: Box<dyn io::Read> = match reader.kind().is_compressed() {
        true => Box::new(zstd::Reader::new(reader).map_err(|error| Failure::io(path, &error))?),
        false => Box::new(reader),
    };
    let opened = copy(&mut content, &mut io::sink(), &Console::new(false));
    match opened {
        Ok(len) if len == content_len => Ok(()),
        Ok(_) => {
            let message = "does not open to what was sealed, so its input is kept";
            Err(Failure::new(Exit::Damaged, format!("{}: {message}", shown(path))))
        }
        Err(CopyError::Read(error) | CopyError::Write(error)) => {
            Err(kept(Failure::content(path, error)))
        }
    }
}

/// The content to seal.
enum Source {
    File(Input),
    #[cfg_attr(not(unix), allow(dead_code))]
    Folder(Metadata),
}

impl Source {
    fn open(path: &Path) -> Result<Self, Failure> {
        #[cfg(unix)]
        if !is_standard(path)
            && let Ok(found) = fs::metadata(path)
            && found.is_dir()
        {
            return Ok(Self::Folder(found));
        }
        Input::open(path).map(Self::File)
    }

    fn is_folder(&self) -> bool {
        matches!(self, Self::Folder(_))
    }

    fn metadata(&self) -> &Metadata {
        match self {
            Self::File(input) => &input.metadata,
            Self::Folder(metadata) => metadata,
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
            #[cfg(not(unix))]
            Self::Folder(_) => None,
        }
    }

    /// About how many bytes are in a folder, for the display.
    fn folder_len(args: &Seal, path: &Path) -> Option<u64> {
        #[cfg(unix)]
        return folder::len(path, &folder::excluded(args, Some(path)).ok()?);
        #[cfg(not(unix))]
        {
            let _ = (args, path);
            None
        }
    }
}

/// The report on a file that is sealed already.
#[derive(Serialize)]
struct SealedAlready {
    skipped: bool,
}

/// Leaves out files that are sealed already, if there are several: a pattern like `*` also finds
/// earlier results. A single file is sealed again, as the user asked.
fn not_sealed_yet(files: Vec<PathBuf>, report: Report) -> Result<Vec<PathBuf>, Failure> {
    if files.len() == 1 {
        return Ok(files);
    }
    let (sealed, files) = files.into_iter().partition::<Vec<_>, _>(|path| is_sealed(path));
    for path in &sealed {
        note(&format!("{}: is sealed already, and left out", shown(path)));
        report.tell_json(path, 0, SealedAlready { skipped: true })?;
    }
    Ok(files)
}

/// Whether the name and the first bytes both say so.
pub(crate) fn is_sealed(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(EXTENSION))
        // The bytes of a pipe that are read here would be missing later.
        && fs::metadata(path).is_ok_and(|found| found.is_file())
        && File::open(path)
            .is_ok_and(|file| !matches!(Header::read(file), Err(Error::NotSivka | Error::Read(_))))
}

/// Beside the file or folder, with `.sivka` at the end.
fn sealed_name(path: &Path) -> Result<PathBuf, Failure> {
    let Some(name) = path.file_name() else {
        let message = format!("{}: has no name of its own", shown(path));
        return Err(Failure::new(Exit::Usage, message).hint("name the target with -o"));
    };
    let mut name = name.to_owned();
    name.push(".");
    name.push(EXTENSION);
    Ok(path.with_file_name(name))
}
