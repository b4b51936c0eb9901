//! Installing the library, and compiling programs against it.

#[path = "../../../cli/tests/within/waiting.rs"]
pub(crate) mod within;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};
use std::{env, fs};
use within::RunInTime;

pub(crate) const CRATE: &str = env!("CARGO_MANIFEST_DIR");
pub(crate) const WARNINGS: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// What valgrind is told. Rust's own handle of the main thread is possibly lost when a C
/// program ends.
const VALGRIND: [&str; 5] = [
    "--quiet",
    "--leak-check=full",
    "--show-leak-kinds=definite",
    "--errors-for-leak-kinds=definite",
    "--error-exitcode=9",
];

/// Whether a program that a test needs is there. In CI it has to be.
pub(crate) fn is_there(tool: &str) -> bool {
    let probe = Command::new(tool).arg("--version").output_in_time();
    let there = probe.is_ok_and(|output| output.status.success());
    let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
    assert!(there || !in_ci, "{tool} is missing, and CI needs it");
    if !there {
        eprintln!("NOT RUN: this test needs {tool}, which is missing here");
    }
    there
}

pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output_in_time().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The folder where the library is installed as its users would.
pub(crate) fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sivka");
        // Cargo has built the library for this test, as an archive too, beside it.
        let test = env::current_exe().unwrap();
        let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(["xtask", "install", "--prefix"]).arg(&prefix);
        command.arg("--built").arg(test.parent().unwrap());
        run(command.current_dir(Path::new(CRATE).join("..")));
        prefix
    })
}

/// The words of one line of the `pkg-config` file.
fn pkg_config(name: &str) -> Vec<String> {
    let text = fs::read_to_string(prefix().join("lib/pkgconfig/sivka.pc")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

/// How a program is checked while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Checker {
    None,
    AddressSanitizer,
    Valgrind,
}

/// The command that runs a program of the crate.
pub(crate) fn command(source: &str, checker: Checker) -> Command {
    // Compiled once: one that runs in another test is not written again.
    static COMPILED: Mutex<BTreeMap<(String, bool), PathBuf>> = Mutex::new(BTreeMap::new());
    let is_sanitized = checker == Checker::AddressSanitizer;
    let mut compiled = COMPILED.lock().unwrap();
    let program = compiled.entry((source.to_owned(), is_sanitized));
    let program = program.or_insert_with(|| compile(source, is_sanitized));
    if checker != Checker::Valgrind {
        return Command::new(program);
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(VALGRIND).arg(program);
    valgrind
}

/// Compiles a program with the static library. `LDFLAGS` are flags for the linker, as everywhere.
fn compile(source: &str, is_sanitized: bool) -> PathBuf {
    let source = Path::new(CRATE).join(source);
    let ending = if is_sanitized { "asan" } else { "native" };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(source.file_name().unwrap()).with_extension(ending);
    let mut command = Command::new("cc");
    command.args(WARNINGS).args(["-O1", "-g"]).args(is_sanitized.then_some("-fsanitize=address"));
    if source.ends_with("places.c") && cfg!(target_os = "linux") {
        command.args(["-DREFUSES", "-Wl,--wrap=malloc,--wrap=posix_memalign"]);
    }
    command.arg("-I").arg(prefix().join("include")).arg(source);
    command.arg("-o").arg(&program);
    command
        .arg(prefix().join("lib/libsivka.a"))
        .args(pkg_config("Libs.private: "))
        .args(env::var("LDFLAGS").unwrap_or_default().split_whitespace());
    run(&mut command);
    program
}
