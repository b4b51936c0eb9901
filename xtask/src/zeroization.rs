//! `cargo xtask zeroization`: no key is left in the memory of a process that has freed it, on
//! any tier, from Rust, C, Python, Java, .NET and Go, and of the command.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{
    Failure, Tally, cargo, exists, locked, output, program, project_root, succeed,
};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in another language that does what it is asked with keys, or the command.
struct KeyProgram {
    language: &'static str,
    /// How the program of `leaks` is told of it.
    words: Vec<String>,
    /// Which of its messages must leave something, as a control.
    leaves: Option<&'static str>,
}

impl KeyProgram {
    fn check(&self, command: &mut Command) -> Result<(), Failure> {
        let command = command.args(&self.words);
        let Some(part) = self.leaves else {
            return succeed(command);
        };
        let output = output(command.env("SIVKA_REMAINS_PART", part));
        let output = output.map_err(|error| Failure::new(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        match said.lines().find(|line| line.starts_with("REMAINS")) {
            Some(line) if !output.status.success() => {
                println!("as it has to: {line}");
                Ok(())
            }
            _ => Err(Failure::new("what a message has left goes unnoticed")),
        }
    }
}

pub(crate) fn run() -> Tally {
    on_tiers(&SHIPPED, |_| true, programs)
}

/// What every run of CI does: Rust, in the build that valgrind and the traces watch, on the
/// tiers with vectors.
pub(crate) fn of_rust() -> Tally {
    on_tiers(&[Build::Marked], has_vectors, |_| Vec::new())
}

/// Rust as it ships, and the command.
pub(crate) fn of_what_ships() -> Tally {
    on_tiers(&SHIPPED, has_vectors, |tally| match library() {
        Ok(library) => vec![of_command(&library)],
        Err(failure) => {
            tally.add_check("the command", &Err(failure));
            Vec::new()
        }
    })
}

/// In one unit, and as Cargo builds for others unless told otherwise.
const SHIPPED: [Build; 2] = [Build::Shipped, Build::InUnits];

fn has_vectors(tier: &str) -> bool {
    tier != "portable"
}

fn on_tiers(
    builds: &[Build],
    is_wanted: fn(&str) -> bool,
    programs: impl FnOnce(&mut Tally) -> Vec<KeyProgram>,
) -> Tally {
    let mut tally = Tally::default();
    let Some(tiers) = cpu::required_tiers() else {
        let failure = Failure::new("memory is searched on Linux on x86-64 only");
        tally.add_check("zeroization", &Err(failure));
        return tally;
    };
    let built: Result<Vec<_>, _> = builds.iter().map(|build| build.program()).collect();
    match built {
        Ok(paths) => {
            let programs = programs(&mut tally);
            for tier in tiers.split(',').filter(|tier| is_wanted(tier)) {
                for path in &paths {
                    let clean = succeed(at(path, tier).arg("zeroization"));
                    let name = path.rsplit('/').next().unwrap_or_default();
                    tally.add_check(&format!("zeroization, {name}, {tier}"), &clean);
                }
                for program in &programs {
                    let holds = program.check(&mut at(&paths[0], tier));
                    let language = program.language;
                    tally.add_check(&format!("zeroization, {language}, {tier}"), &holds);
                }
            }
        }
        Err(failure) => tally.add_check("zeroization", &Err(failure)),
    }
    tally
}

/// The program on a tier.
fn at(path: &str, tier: &str) -> Command {
    let mut command = leaks::at(path, tier);
    // The runtime of Go interrupts calls of 10 ms by signals, which put every register on the
    // stack that the thread has for them.
    command.env("GODEBUG", "asyncpreemptoff=1");
    command
}

/// What the searches of Go's program are called: of keys that the collector wipes, of messages
/// after which `Wipe` is called, and of those that another goroutine makes, which does not.
const UNUSED: &str = "Go, keys that nobody uses";
const WIPED: &str = "Go, messages and Wipe";
const PLANTED: &str = "Go, what another goroutine leaves";

/// A message that leaves something on every tier.
const LEAVES: &str = "XChaCha20-BLAKE2b-Tag64, open, 100";

/// Those whose language is here.
fn programs(tally: &mut Tally) -> Vec<KeyProgram> {
    type Build = fn(&Path) -> Result<Vec<String>, Failure>;
    let languages: [(&str, &[&str], Build); 7] = [
        ("C", &["cc"], c),
        ("Python", &["python3", "cc"], python),
        ("Java", &["mvn", "javac", "cc"], java),
        (".NET", &["dotnet"], dotnet),
        (UNUSED, &["go"], |_| go("zeroization-of-unused", "")),
        (WIPED, &["go"], |_| go("zeroization-of-messages", "wiped")),
        (PLANTED, &["go"], |_| {
            go("zeroization-of-messages", "planted")
        }),
    ];
    let library = match library() {
        Ok(library) => library,
        Err(failure) => {
            tally.add_check("the C library", &Err(failure));
            return Vec::new();
        }
    };
    let mut programs = vec![of_command(&library)];
    for (language, tools, build) in languages {
        if let Some(missing) = tools.iter().find(|tool| !exists(tool)) {
            tally.add_not_run(&format!("zeroization, {language}"), missing);
            continue;
        }
        match build(&library) {
            Ok(words) => programs.push(KeyProgram {
                language,
                words,
                leaves: (language == PLANTED).then_some(LEAVES),
            }),
            Err(failure) => tally.add_check(&format!("zeroization, {language}"), &Err(failure)),
        }
    }
    programs
}

fn of_command(library: &Path) -> KeyProgram {
    let command = library.with_file_name("sivka");
    KeyProgram {
        language: "the command",
        words: words("zeroization-of-command", &[&command.to_string_lossy()]),
        leaves: None,
    }
}

/// The C library, and beside it the command, with the tiers that `SIVKA_TIER` may lower.
fn library() -> Result<PathBuf, Failure> {
    // Together with the program, whose features it then has.
    let packages = [
        "build",
        "--profile",
        "leaks",
        "-p",
        "sivka-leaks",
        "-p",
        "sivka-ffi",
        "-p",
        "sivka-cli",
    ];
    succeed(cargo(&packages).args(locked()))?;
    Ok(project_root().join("target/leaks/libsivka_ffi.a"))
}

fn words(command: &str, program: &[&str]) -> Vec<String> {
    [&[command], program]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

fn c(library: &Path) -> Result<Vec<String>, Failure> {
    let out = library.with_file_name("hold");
    let mut compile = program(
        "cc",
        // Lazy, as `build.rs` of the Rust program says.
        &[
            "-std=gnu11",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Iffi/include",
            "-Wl,-z,lazy",
        ],
    );
    compile
        .arg("-o")
        .arg(&out)
        .arg("evidence/leaks/key_programs/hold.c")
        .arg(library);
    succeed(compile.args(["-lpthread", "-ldl", "-lm"]))?;
    Ok(words("zeroization-of", &[&out.to_string_lossy()]))
}

fn python(library: &Path) -> Result<Vec<String>, Failure> {
    let environment = project_root().join("target/zeroization/venv");
    succeed(program("python3", &["-m", "venv"]).arg(&environment))?;
    let python = environment
        .join("bin/python")
        .to_string_lossy()
        .into_owned();
    let mut install = program(&python, &["-m", "pip", "install", "--quiet"]);
    install.args(["--force-reinstall", "./bindings/python"]);
    succeed(install.env("SIVKA_STATIC_LIBRARY", library))?;
    Ok(words(
        "zeroization-of",
        &[&python, "evidence/leaks/key_programs/hold.py"],
    ))
}

fn java(library: &Path) -> Result<Vec<String>, Failure> {
    let mut build = program(
        "mvn",
        &["--quiet", "--batch-mode", "package", "-DskipTests"],
    );
    build.args(["-pl", "sivka", "-am"]);
    build.arg(format!("-Dsivka.static.library={}", library.display()));
    succeed(build.current_dir(project_root().join("bindings/java")))?;
    let (classes, out) = (
        "bindings/java/sivka/target/classes",
        "target/zeroization/java",
    );
    let compile = [
        "-d",
        out,
        "-cp",
        classes,
        "evidence/leaks/key_programs/Hold.java",
    ];
    succeed(&mut program("javac", &compile))?;
    let class_path = format!("{classes}:{out}");
    let run = [
        "java",
        "-XX:+UseSerialGC",
        "-Xmn32m",
        "-Xmx64m",
        "-cp",
        &class_path,
        "dev.sivka.Hold",
    ];
    Ok(words("zeroization-of", &run))
}

fn dotnet(library: &Path) -> Result<Vec<String>, Failure> {
    let artifacts = project_root().join("target/zeroization/dotnet");
    let mut build = program("dotnet", &["build", "--configuration", "Release"]);
    build.args(["-nodeReuse:false", "-p:UseSharedCompilation=false"]);
    build.arg(format!("-p:ArtifactsPath={}", artifacts.display()));
    let shared = library.with_extension("so");
    build.arg(format!("-p:SivkaNativeLibrary={}", shared.display()));
    build.env("DOTNET_CLI_TELEMETRY_OPTOUT", "1");
    succeed(
        build
            .env("DOTNET_NOLOGO", "1")
            .arg("evidence/leaks/key_programs/dotnet"),
    )?;
    let hold = artifacts.join("bin/Hold/release/Hold.dll");
    let hold = hold.to_string_lossy();
    Ok(words("zeroization-of", &["dotnet", "exec", &hold]))
}

/// The package brings machine code of its own.
fn go(command: &str, how: &str) -> Result<Vec<String>, Failure> {
    let program = leaks::go_program()?;
    let mut words = words(command, &[&program, "hold"]);
    words.extend((!how.is_empty()).then(|| how.to_owned()));
    Ok(words)
}
