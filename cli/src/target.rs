//! Where results go, by what the command line says of it.

use std::path::{Path, PathBuf};

use crate::args::Target;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::name::is_standard;
use crate::output::Output;

impl Target {
    /// Fails if one target was named for several files.
    pub(crate) fn check(&self, files: &[PathBuf]) -> Result<(), Failure> {
        match &self.output {
            Some(output) if files.len() > 1 && !output.is_dir() => Err(Failure::new(
                Exit::Usage,
                format!("{} files cannot be written to one output", files.len()),
            )
            .hint("name a folder with -o, or leave it out")),
            _ => Ok(()),
        }
    }

    /// The output for the input at `path`, which is `beside()` unless the
    /// command line says otherwise.
    pub(crate) fn output(
        &self,
        path: &Path,
        input: &Input,
        beside: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<Output, Failure> {
        let target = match &self.output {
            Some(output) if is_standard(output) => return Output::standard(),
            Some(output) if output.is_dir() && !is_standard(path) => {
                let name = beside()?;
                output.join(name.file_name().unwrap_or_default())
            }
            Some(output) => output.clone(),
            None if is_standard(path) => return Output::standard(),
            None => beside()?,
        };
        Output::create(&target, input.permissions(), self.force)
    }
}
