//! Where results go, by what the command line says of it.

use std::collections::HashMap;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::args::Target;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::{is_standard, shown};
use crate::output::{Output, names_folder, no_folder};

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
    /// What this run has made, and of which input.
    made: HashMap<PathBuf, PathBuf>,
}

impl<'a> Targets<'a> {
    /// Fails if one target was named for several files.
    pub(crate) fn new(named: &'a Target, files: &[PathBuf]) -> Result<Self, Failure> {
        match &named.output {
            Some(output) if names_folder(output) && !output.exists() => Err(no_folder(output)),
            Some(output) if files.len() > 1 && !output.is_dir() => Err(Failure::new(
                Exit::Usage,
                format!("{} files cannot be written to one output", files.len()),
            )
            .hint("name a folder with -o, or leave it out")),
            _ => Ok(Self {
                named,
                made: HashMap::new(),
            }),
        }
    }

    /// The output for the input at `path`, which is `beside()` unless the
    /// command line says otherwise.
    pub(crate) fn output(
        &self,
        path: &Path,
        permissions: Option<Permissions>,
        beside: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<Output, Failure> {
        let Some(target) = self.target(path, beside)? else {
            return Output::standard();
        };
        // `force` is for what was there before the run, as `cp` has it.
        if let Some(first) = place(&target).and_then(|place| self.made.get(&place)) {
            let message = format!("{}: was just made from {}", shown(&target), shown(first));
            return Err(Failure::new(Exit::Exists, message)
                .hint("results of one name need a target each: name it with -o"));
        }
        Output::create(&target, permissions, self.named.force)
    }

    /// Whether the result of the input at `path` would be written to what is neither file nor
    /// folder. A pipe is opened by nobody for that: it waits for who reads it.
    pub(crate) fn is_stream(
        &self,
        path: &Path,
        beside: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<bool, Failure> {
        let Some(target) = self.target(path, beside)? else {
            return Ok(true);
        };
        let is_other = |found: Metadata| !found.is_file() && !found.is_dir();
        Ok(fs::metadata(target).is_ok_and(is_other))
    }

    /// Where the result of the input at `path` goes; `None` is standard output.
    fn target(
        &self,
        path: &Path,
        beside: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<Option<PathBuf>, Failure> {
        Ok(match &self.named.output {
            Some(output) if is_standard(output) => None,
            Some(output) if output.is_dir() && !is_standard(path) => {
                let name = beside()?;
                Some(output.join(name.file_name().unwrap_or_default()))
            }
            Some(output) => Some(output.clone()),
            None if is_standard(path) => None,
            None => Some(beside()?),
        })
    }

    /// Keeps in mind that `target` was made from the input at `path`.
    pub(crate) fn made(&mut self, target: &Path, path: &Path) {
        if let Some(place) = place(target) {
            self.made.insert(place, path.to_path_buf());
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_in_this_folder() {
        let here = fs::canonicalize(".").expect("a folder");
        let name = Path::new("no-such-file-anywhere");
        assert_eq!(place(name), Some(here.join(name)));
        assert_eq!(place(&here.join(name)), Some(here.join(name)));
        assert_eq!(place(&here.join(".").join(name)), Some(here.join(name)));
    }
}
