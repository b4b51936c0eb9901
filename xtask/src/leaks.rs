//! The program `sivka-leaks`, which makes every call that takes a secret.

use crate::blob;
use crate::files::copy;
use crate::process::{
    Failure, Tally, artifacts, cargo, fails_saying, locked, program, project_root, succeed,
};
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Two ways to build give their programs one name, and others build at the same time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Names with generic parameters: a kernel is one function for each set of these. Who builds with
/// the same flags finds what another one has built.
pub(crate) const RUSTFLAGS: &str = "-Csymbol-mangling-version=v0 -Dwarnings";

/// How the program is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// As what ships, with the lines of its source.
    Shipped,
    /// As Cargo builds it for others unless told otherwise: frames on the stack are larger.
    InUnits,
    /// The build that ships, with secrets marked for valgrind.
    Marked,
    /// Marked, and built as the tests are.
    MarkedForTests,
}

impl Build {
    /// The program's name, so that no other build overwrites it, and Cargo's arguments.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Shipped => ("sivka-leaks-shipped", "--profile leaks"),
            Self::InUnits => (
                "sivka-leaks-in-units",
                "--profile leaks --config profile.leaks.codegen-units=16 \
                 --config profile.leaks.lto=false",
            ),
            Self::Marked => ("sivka-leaks-marked", "--profile leaks --features ctgrind"),
            Self::MarkedForTests => ("sivka-leaks-marked-for-tests", "--features ctgrind"),
        }
    }

    /// Builds the program from the tree at `root`, and says where it is.
    pub(crate) fn program_in(self, root: &Path) -> Result<String, Failure> {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = cargo(&["build", "-p", "sivka-leaks"]);
        let (name, words) = self.told();
        command.args(words.split(' ')).args(locked());
        if self != Self::MarkedForTests {
            command.env("RUSTFLAGS", RUSTFLAGS);
        }
        // Unchanged parts of a copy of the tree are not built again.
        command.env("CARGO_TARGET_DIR", project_root().join("target"));
        let made = artifacts(command.current_dir(root))?;
        let built = made.iter().find_map(|made| made["executable"].as_str());
        let built = Path::new(built.ok_or_else(|| Failure::new("cargo built no program"))?);
        // A copy stays when another build takes the name. One that is running is not written over.
        let of = if root == project_root() { "" } else { "-planted" };
        let kept = built.with_file_name(format!("{name}{of}"));
        copy(built, &kept, |_| ())?;
        Ok(kept.display().to_string())
    }

    pub(crate) fn program(self) -> Result<String, Failure> {
        self.program_in(&project_root())
    }
}

/// The program at `path` as it is watched without any tool, on a tier.
pub(crate) fn at(path: &str, tier: &str, words: &[&str]) -> Command {
    let mut command = program(path, words);
    command.env("SIVKA_TIER", tier);
    command
}

/// Builds the program of the Go package with its machine code, and says where it is.
pub(crate) fn go_program() -> Result<String, Failure> {
    blob::ensure(false)?;
    let built = project_root().join("target/go/leaks");
    let mut build = program("go", &["build", "-o"]);
    build.arg(&built).arg(".");
    build.env("CGO_ENABLED", "0");
    succeed(build.current_dir(project_root().join("evidence/leaks/key_programs/go")))?;
    Ok(built.display().to_string())
}

/// A word in the names of calls that the control leaves out: no file is sealed by this mode, so
/// nothing else executes it.
const LEFT_OUT: &str = "AES-SIV";

/// The calls of this depth execute every kernel that the program has on each of these tiers;
/// and the same without those of an algorithm, as a control, do not.
pub(crate) fn check_kernels(tally: &mut Tally, path: &str, tiers: &[&str], depth: &str) {
    for tier in tiers {
        let executed = succeed(&mut at(path, tier, &["kernels", depth]));
        tally.add_check(&format!("kernels, {tier}"), &executed);
    }
    let words = ["kernels", depth, "--without", LEFT_OUT];
    let mut control = at(path, tiers.first().unwrap_or(&"portable"), &words);
    let misses = fails_saying(&mut control, |said| {
        let is_missing = |line: &str| line.starts_with("NOT EXECUTED");
        said.lines().any(|line| is_missing(line) && line.contains("mode::aes_siv::"))
    });
    tally.add_check("kernels: control", &misses);
}

/// `cargo xtask instructions`: no function of a tier has an instruction that this tier's CPUs may
/// lack. An emulated CPU shows it for executed code; this reads every path. As a control, `avx512`
/// is read as if it were `avx2`, and instructions must be found.
pub(crate) fn instructions() -> Result<(), Failure> {
    let path = Build::Marked.program()?;
    succeed(&mut at(&path, "portable", &["instructions", &path]))?;
    let control = ["instructions", &path, "avx512", "avx2"];
    fails_saying(&mut at(&path, "portable", &control), |said| said.contains("AVX512"))
}
