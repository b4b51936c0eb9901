//! Content as it is opened: its first bytes say whether it is a file or a folder.
//!
//! A file is written as it comes, under no name. A folder is unpacked by a thread of its
//! own, into a place without its name. Neither is there before its last byte was
//! authenticated.

use std::io::{self, IoSlice, Write};
use std::path::Path;
use std::thread::{Scope, ScopedJoinHandle};

use sivka_file::{Error, Summary};
use zeroize::Zeroizing;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::{self, MARK_LEN, PieceWriter, Place, Unpacked, pipe};
use crate::name::shown;
use crate::output::Output;
use crate::report::Report;

/// What is wanted of the content.
pub(crate) enum Wanted {
    /// The file or folder itself, under the name of the output.
    Itself { output: Output, outside_links: bool },
    /// A list of what is in the folder.
    List(Report),
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

enum Way<'scope> {
    /// Not all of the first bytes are here.
    Unknown(Wanted),
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
    way: Option<Way<'scope>>,
}

impl<'scope, 'env> Content<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        input: &'env Path,
        wanted: Wanted,
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
    fn decide(&mut self, wanted: Wanted) -> Way<'scope> {
        let refuse = |exit, what| Failure::new(exit, format!("{}: {what}", shown(self.input)));
        match (folder::Content::of(&self.head), wanted) {
            (folder::Content::File, Wanted::Itself { mut output, .. }) => {
                match output.file().write_all(&self.head) {
                    Ok(()) => Way::File(output),
                    Err(error) => Way::Refused(Failure::io(output.name(), &error)),
                }
            }
            (folder::Content::File, Wanted::List(_)) => Way::Refused(refuse(
                Exit::Usage,
                "the content is a file and not a folder",
            )),
            (
                folder::Content::Folder,
                Wanted::Itself {
                    output,
                    outside_links,
                },
            ) => self.unpack(output.name(), outside_links),
            (folder::Content::Folder, Wanted::List(report)) => self.list(report),
            (folder::Content::NewerFolder, _) => Way::Refused(
                refuse(
                    Exit::Newer,
                    "a folder in a form that is not known to this program",
                )
                .hint("a newer version of sivka may know it; --tar gives it as it is"),
            ),
        }
    }

    fn unpack(&self, target: &Path, outside_links: bool) -> Way<'scope> {
        let place = match Place::create(target) {
            Ok(place) => place,
            Err(failure) => return Way::Refused(failure),
        };
        let (writer, reader) = pipe();
        let console = self.console;
        let work = move || {
            let unpacked = folder::unpack(reader, &place, outside_links, console)?;
            Ok(Received::Folder(unpacked, place))
        };
        Way::Folder(writer, self.scope.spawn(work))
    }

    fn list(&self, report: Report) -> Way<'scope> {
        let (writer, reader) = pipe();
        let (input, console) = (self.input, self.console);
        let work = move || folder::list(reader, input, report, console).map(|()| Received::Listed);
        Way::Folder(writer, self.scope.spawn(work))
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
