//! Content as it is opened: its first bytes say whether it is a file or a folder.
//!
//! A file is written as it comes, under no name. A folder is unpacked by a thread of its
//! own, into a place without its name. Neither is there before its last byte was
//! authenticated.

use std::cell::RefCell;
use std::io::{self, IoSlice, Read, Seek, Write};
use std::path::Path;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use sivka_file::{Error, SeekReader, Summary};
use zeroize::Zeroizing;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::{
    self, Choice, MARK_LEN, Patterns, PieceWriter, Place, Seekable, Unpacked, pipe,
};
use crate::name::shown;
use crate::output::Output;
use crate::report::Report;

/// What is wanted of the content.
pub(crate) enum Wanted<'a> {
    /// The file or folder itself, under the name of the output.
    Itself { output: Output, choice: Choice<'a> },
    /// A list of what is in the folder.
    List(Report, Option<&'a Patterns>),
}

impl Wanted<'_> {
    /// Whether some of a folder's content may not be wanted.
    pub(crate) fn is_part(&self) -> bool {
        match self {
            Self::Itself { choice, .. } => choice.only.is_some(),
            Self::List(..) => true,
        }
    }
}

/// What became of the content.
pub(crate) enum Received {
    /// A complete file, still without its name.
    File(Output),
    /// A complete folder, still without its name.
    Folder(Unpacked, Place),
    Listed,
}

type Worker<'scope> = ScopedJoinHandle<'scope, Result<Received, Failure>>;

enum Way<'scope, 'env> {
    /// Not all of the first bytes are here.
    Unknown(Wanted<'env>),
    File(Output),
    Folder(PieceWriter, Worker<'scope>),
    Refused(Failure),
}

/// A writer for the content of the sealed file at `input`.
pub(crate) struct Content<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    input: &'env Path,
    console: Console<'env>,
    head: Zeroizing<Vec<u8>>,
    way: Option<Way<'scope, 'env>>,
}

impl<'scope, 'env> Content<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        input: &'env Path,
        wanted: Wanted<'env>,
        console: Console<'env>,
    ) -> Self {
        Self {
            scope,
            input,
            console,
            head: Zeroizing::new(Vec::with_capacity(MARK_LEN)),
            way: Some(Way::Unknown(wanted)),
        }
    }

    /// Goes the way that the first bytes say.
    fn decide(&mut self, wanted: Wanted<'env>) -> Way<'scope, 'env> {
        match (folder::Content::of(&self.head), wanted) {
            (folder::Content::File, wanted) if wanted.is_part() => {
                Way::Refused(no_folder(self.input))
            }
            (folder::Content::File, Wanted::List(..)) => Way::Refused(no_folder(self.input)),
            (folder::Content::File, Wanted::Itself { mut output, .. }) => {
                match output.file().write_all(&self.head) {
                    Ok(()) => Way::File(output),
                    Err(error) => Way::Refused(Failure::io(output.name(), &error)),
                }
            }
            (folder::Content::Folder, Wanted::Itself { output, choice }) => {
                self.unpack(output.name(), choice)
            }
            (folder::Content::Folder, Wanted::List(report, only)) => self.list(report, only),
            (folder::Content::NewerFolder, _) => Way::Refused(newer_folder(self.input)),
        }
    }

    fn unpack(&self, target: &Path, choice: Choice<'env>) -> Way<'scope, 'env> {
        let place = match Place::create(target) {
            Ok(place) => place,
            Err(failure) => return Way::Refused(failure),
        };
        let (writer, reader) = pipe();
        let console = self.console;
        let work = move || {
            let unpacked = folder::unpack(reader, &place, choice, console)?;
            Ok(Received::Folder(unpacked, place))
        };
        self.beside(writer, work)
    }

    /// Starts a thread that takes what `writer` is given.
    fn beside(
        &self,
        writer: PieceWriter,
        work: impl FnOnce() -> Result<Received, Failure> + Send + 'scope,
    ) -> Way<'scope, 'env> {
        match Builder::new().spawn_scoped(self.scope, work) {
            Ok(worker) => Way::Folder(writer, worker),
            Err(error) => Way::Refused(Failure::thread(self.input, &error)),
        }
    }

    fn list(&self, report: Report, only: Option<&'env Patterns>) -> Way<'scope, 'env> {
        let (writer, reader) = pipe();
        let (input, console) = (self.input, self.console);
        let work =
            move || folder::list(reader, input, only, report, console).map(|()| Received::Listed);
        self.beside(writer, work)
    }

    /// Ends with what came of it. `refused` says why a file that did not open did not.
    pub(crate) fn finish(
        mut self,
        opened: Result<Summary, Error>,
        refused: impl FnOnce(&Error) -> Failure,
    ) -> Result<(Received, Summary), Failure> {
        let way = match self.way.take() {
            // All of the content is shorter than a mark.
            Some(Way::Unknown(wanted)) if opened.is_ok() => Some(self.decide(wanted)),
            way => way,
        };
        match (way, opened) {
            (Some(Way::Refused(failure)), _) => Err(failure),
            (Some(Way::Folder(writer, worker)), opened) => {
                // Without its end the worker knows that this was not all.
                let ended = opened.is_ok().then(|| writer.end());
                drop(ended);
                let worked = worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                match (opened, worked) {
                    (Ok(summary), worked) => Ok((worked?, summary)),
                    // The worker could not go on, and said why.
                    (Err(Error::Write(_)), Err(failure)) => Err(failure),
                    (Err(error), _) => Err(refused(&error)),
                }
            }
            (_, Err(error)) => Err(refused(&error)),
            (Some(Way::File(output)), Ok(summary)) => Ok((Received::File(output), summary)),
            (Some(Way::Unknown(_)) | None, Ok(_)) => Err(Failure::new(
                Exit::Internal,
                "no way was found for the content",
            )),
        }
    }
}

impl Write for Content<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(Way::Unknown(_)) = self.way {
            let taken = bytes.len().min(MARK_LEN - self.head.len());
            self.head.extend_from_slice(&bytes[..taken]);
            if self.head.len() == MARK_LEN
                && let Some(Way::Unknown(wanted)) = self.way.take()
            {
                self.way = Some(self.decide(wanted));
            }
            return Ok(taken);
        }
        match &mut self.way {
            Some(Way::File(output)) => output.file().write(bytes),
            Some(Way::Folder(writer, _)) => writer.write(bytes),
            // Why, `finish` says.
            _ => Err(io::Error::other("refused")),
        }
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        if let Some(Way::File(output)) = &mut self.way {
            return output.file().write_vectored(pieces);
        }
        let first = pieces.iter().find(|piece| !piece.is_empty());
        first.map_or(Ok(0), |piece| self.write(piece))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // Where the bytes go, `finish` sees to it.
    }
}

/// Does what is wanted with the folder in `reader`, and reads no more than that takes.
/// `refused` says why what is read does not open.
pub(crate) fn receive_part<R: Read + Seek>(
    mut reader: SeekReader<R>,
    input: &Path,
    wanted: Wanted<'_>,
    console: Console<'_>,
    refused: impl Fn(&Error) -> Failure,
) -> Result<Received, Failure> {
    let mut head = Zeroizing::new(Vec::with_capacity(MARK_LEN));
    (&mut reader)
        .take(MARK_LEN as u64)
        .read_to_end(&mut head)
        .map_err(|error| refused(&error.downcast().unwrap_or_else(Error::Read)))?;
    match folder::Content::of(&head) {
        folder::Content::Folder => {}
        folder::Content::File => return Err(no_folder(input)),
        folder::Content::NewerFolder => return Err(newer_folder(input)),
    }
    let failure = RefCell::new(None);
    let archive = Seekable::new(reader, &failure, console.progress);
    let received = match wanted {
        Wanted::Itself { output, choice } => {
            let place = Place::create(output.name())?;
            let unpacked = folder::unpack(archive, &place, choice, console);
            unpacked.map(|unpacked| Received::Folder(unpacked, place))
        }
        Wanted::List(report, only) => {
            folder::list(archive, input, only, report, console).map(|()| Received::Listed)
        }
    };
    match failure.take() {
        Some(error) => Err(refused(&error)),
        None => received,
    }
}

fn no_folder(input: &Path) -> Failure {
    let message = "the content is a file and not a folder";
    Failure::new(Exit::Usage, format!("{}: {message}", shown(input)))
}

fn newer_folder(input: &Path) -> Failure {
    let message = "a folder in a form that is not known to this program";
    Failure::new(Exit::Newer, format!("{}: {message}", shown(input)))
        .hint("a newer version of sivka may know it; --tar gives it as it is")
}
