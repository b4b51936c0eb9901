//! The program `sivka-leaks`, which makes every call that takes a secret.

use crate::process::{Failure, capture, cargo, locked, program, project_root};
use crate::programs::executable;
use std::path::Path;
use std::process::Command;

/// How the program is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// As what ships, with the lines of its source.
    Shipped,
    /// The same with secrets marked for valgrind.
    Marked,
    /// Marked, and built as the tests are.
    MarkedForTests,
}

impl Build {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Shipped => &["--profile", "leaks"],
            Self::Marked => &["--profile", "leaks", "--features", "ctgrind"],
            Self::MarkedForTests => &["--features", "ctgrind"],
        }
    }

    /// Builds the program from the tree at `root`, and says where it is.
    pub(crate) fn program_in(self, root: &Path) -> Result<String, Failure> {
        let mut command = cargo(&["build", "-p", "sivka-leaks", "--message-format", "json"]);
        command.args(self.arguments()).args(locked());
        let messages = capture(command.current_dir(root))?;
        let path = messages.lines().find_map(executable);
        path.map(|path| path.display().to_string())
            .ok_or_else(|| Failure::new("cargo built no program"))
    }

    pub(crate) fn program(self) -> Result<String, Failure> {
        self.program_in(&project_root())
    }
}

/// The program at `path` as it is watched without any tool, on a tier.
pub(crate) fn at(path: &str, tier: &str) -> Command {
    let mut command = program(path, &[]);
    command.env("SIVKA_TIER", tier);
    command
}
