//! Targets of results, from the command line, and removing inputs.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata, Permissions};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::args::Target;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::{is_standard, shown};
use crate::output::{Output, names_folder, no_folder};
use crate::seal::is_sealed;

impl Target {
    /// Whether no progress is shown: by request, or because the results of `files` go to
    /// the same terminal.
    pub(crate) fn is_quiet(&self, files: &[PathBuf]) -> bool {
        self.quiet || self.is_standard(files) && io::stdout().is_terminal()
    }

    /// Whether a result of `files` goes to standard output.
    pub(crate) fn is_standard(&self, files: &[PathBuf]) -> bool {
        match &self.output {
            Some(output) => is_standard(output),
            None => files.iter().any(|path| is_standard(path)),
        }
    }
}

/// The targets of one run.
pub(crate) struct Targets<'a> {
    named: &'a Target,
    /// The results of this run, with their inputs.
    made: HashMap<PathBuf, PathBuf>,
    /// The inputs: no result replaces them.
    inputs: HashSet<PathBuf>,
    has_one_file: bool,
}

impl<'a> Targets<'a> {
    /// Fails if one target was named for several files. The run reads `also`, too.
    pub(crate) fn new(to: &'a Target, [files, also]: [&[PathBuf]; 2]) -> Result<Self, Failure> {
        match &to.output {
            Some(output) if names_folder(output) && !output.exists() => Err(no_folder(output)),
            Some(output) if files.len() > 1 && !output.is_dir() => {
                let message = format!("{} files cannot be written to one output", files.len());
                Err(Failure::new(Exit::Usage, message)
                    .hint("name a folder with -o, or leave it out"))
            }
            _ => Ok(Self {
                named: to,
                made: HashMap::new(),
                inputs: files.iter().chain(also).filter_map(|file| place(file)).collect(),
                has_one_file: files.len() == 1,
            }),
        }
    }

    /// The target for the input at `path`, which is `beside` unless the command line says
    /// otherwise; `None` is standard output. With `remove`, it must be a file.
    pub(crate) fn target(
        &self,
        path: &Path,
        remove: bool,
        beside: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<Option<PathBuf>, Failure> {
        let target = match &self.named.output {
            Some(output) if is_standard(output) => None,
            Some(output) if output.is_dir() && !is_standard(path) => {
                Some(output.join(beside()?.file_name().unwrap_or_default()))
            }
            Some(output) => Some(output.clone()),
            None if is_standard(path) => None,
            None => Some(beside()?),
        };
        if remove && (is_standard(path) || is_stream(target.as_deref())) {
            let message = "--remove is for files that are sealed to files, or opened to files";
            return Err(Failure::new(Exit::Usage, message));
        }
        let Some(target) = target else {
            return Ok(None);
        };
        // `force` applies only to files that existed before the run, as in `cp`.
        if let Some(first) = place(&target).and_then(|place| self.made.get(&place)) {
            let message = format!("{}: was just made from {}", shown(&target), shown(first));
            return Err(Failure::new(Exit::Exists, message)
                .hint("results of one name need a target each: name it with -o"));
        }
        // A file in a folder that is sealed is an input as well, unless it is an earlier result.
        let is_input = |place: &PathBuf| {
            let is_in_one = || self.inputs.iter().any(|input| place.starts_with(input));
            self.inputs.contains(place) || is_in_one() && !is_sealed(place)
        };
        if fs::metadata(&target).is_ok_and(|found| found.is_file())
            && place(&target).is_some_and(|place| is_input(&place))
        {
            let message = format!("{}: is an input of this run", shown(&target));
            return Err(Failure::new(Exit::Exists, message).hint("name another target with -o"));
        }
        Output::refuse(&target, self.named.force)?;
        Ok(Some(target))
    }

    /// The output that becomes `target`.
    pub(crate) fn output(
        &self,
        target: Option<&Path>,
        permissions: Option<Permissions>,
    ) -> Result<Output, Failure> {
        match target {
            Some(target) => Output::create(target, permissions, self.named.force),
            None => Output::standard(self.named.force),
        }
    }

    /// Fails if a folder would go into another one that was named without a slash: who names the
    /// target of a folder rarely means that.
    pub(crate) fn refuse_folder(&self) -> Result<(), Failure> {
        match &self.named.output {
            Some(output) if self.has_one_file && output.is_dir() && !names_folder(output) => {
                let message = format!("{}: exists, and a folder replaces nothing", shown(output));
                let inside = output.join("");
                Err(Failure::new(Exit::Exists, message)
                    .hint(format!("name another target; -o {} puts it inside", shown(&inside))))
            }
            _ => Ok(()),
        }
    }

    /// Keeps in mind that `target` was made from the input at `path`.
    pub(crate) fn made(&mut self, target: &Path, path: &Path) {
        if let Some(place) = place(target) {
            self.made.insert(place, path.to_path_buf());
        }
    }
}

/// Whether a target is standard output, a device or a named pipe.
pub(crate) fn is_stream(target: Option<&Path>) -> bool {
    let is_other = |found: Metadata| !found.is_file() && !found.is_dir();
    target.is_none_or(|target| fs::metadata(target).is_ok_and(is_other))
}

/// One name for a file, whatever path leads to it. The file need not be there yet.
fn place(target: &Path) -> Option<PathBuf> {
    fs::canonicalize(target).ok().or_else(|| {
        let folder = match target.parent()? {
            folder if folder.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        Some(fs::canonicalize(folder).ok()?.join(target.file_name()?))
    })
}

/// Removes an input whose result is safe, if it is still the file that was `read`.
pub(crate) fn remove_input(path: &Path, read: &Metadata) -> Result<(), Failure> {
    let kept = |what: &str| Failure::new(Exit::Io, format!("{}: {what}", shown(path)));
    let failed = |error: io::Error| kept(&format!("cannot be removed: {}", reason(&error)));
    let now = fs::symlink_metadata(path).map_err(failed)?;
    // A device has the times and the length that it had, and its name is needed still.
    if now.is_symlink() {
        return Err(kept("is a symbolic link, and is kept"));
    }
    if !now.is_file() {
        return Err(kept("is no regular file, and is kept"));
    }
    if now.len() != read.len() || now.modified().ok() != read.modified().ok() {
        return Err(kept("changed since it was read, and is kept"));
    }
    fs::remove_file(path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_in_this_folder() {
        let here = fs::canonicalize(".").expect("a folder");
        let name = Path::new("no-such-file-anywhere");
        assert_eq!(place(name), Some(here.join(name)));
        assert_eq!(place(&here.join(".").join(name)), Some(here.join(name)));
    }

    #[test]
    fn only_what_was_read_is_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        fs::write(&path, "content").expect("written");
        let read = path.metadata().expect("there");
        fs::write(&path, "content and more").expect("written");
        let failure = remove_input(&path, &read).expect_err("changed");
        assert!(failure.message().ends_with("changed since it was read, and is kept"));
        let now = path.metadata().expect("there");
        assert!(remove_input(&path, &now).is_ok() && !path.exists());
        let failure = remove_input(folder.path(), &now).expect_err("a folder");
        assert!(failure.message().ends_with("is no regular file, and is kept"));
    }
}
