//! The .NET package: built, tested on the newest runtime, and packed; in turn tested on the
//! oldest one, compiled ahead of time and, as the build for .NET Standard, run on Mono.
//!
//! Where the packages come from is NuGet's own affair: `RestoreSources` in the environment
//! names a folder instead of the usual registry.

use super::{Language, Runtimes};
use crate::process::{Failure, Tally, capture, exists, program, project_root, run_lines, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the tests, and returns what the matrix of languages is to run.
pub(super) fn run(runtimes: Runtimes, library: &Path, tally: &mut Tally) -> Vec<Language> {
    if !exists("dotnet") {
        tally.add_not_run("the .NET package", "the .NET SDK, as `dotnet`");
        return Vec::new();
    }
    let built = succeed(dotnet("build", library).arg("Sivka.slnx"));
    tally.add_check("the .NET package builds without a warning", &built);
    if built.is_err() {
        return Vec::new();
    }
    if runtimes == Runtimes::Others {
        // What is not tested on the newest runtime: the library alone.
        tests(library, &["Sivka.Tests", "--framework", "net8.0"], 1, tally);
        ahead_of_time(library, tally);
        return older_programs(tally);
    }
    tests(library, &["Sivka.slnx", "--framework", "net10.0"], 2, tally);
    let format = [
        "format",
        "Sivka.slnx",
        "--verify-no-changes",
        "--no-restore",
    ];
    let format = succeed(program("dotnet", &format).current_dir(package()));
    tally.add_check("the .NET package is formatted", &format);
    let packed = ["Sivka", "Sivka.DataProtection"]
        .into_iter()
        .try_for_each(|project| succeed(dotnet("pack", library).args([project, "--no-build"])));
    tally.add_check("the .NET package packs, and its targets agree", &packed);
    if packed.is_ok() {
        let content = content();
        tally.add_check("the .NET packages have what they should", &content);
    }
    vec![matrix_program("dotnet10", &["dotnet", "exec"], "net10.0")]
}

/// The program for the matrix, by the command that runs it.
fn matrix_program(name: &str, command: &[&str], build: &str) -> Language {
    let file = built_file(&format!("Sivka.Matrix/release_{build}/Sivka.Matrix.dll"));
    let mut words: Vec<&Path> = command.iter().map(Path::new).collect();
    words.push(&file);
    Language::new(name, &words)
}

/// Mono has the build for .NET Standard.
fn older_programs(tally: &mut Tally) -> Vec<Language> {
    let mut languages = vec![matrix_program("dotnet8", &["dotnet", "exec"], "net8.0")];
    if exists("mono") {
        languages.push(matrix_program("dotnet-mono", &["mono"], "netstandard2.0"));
    } else {
        tally.add_not_run("the matrix on Mono", "Mono, as `mono`");
    }
    languages
}

fn package() -> PathBuf {
    project_root().join("bindings/dotnet")
}

fn built_file(path: &str) -> PathBuf {
    package().join("artifacts/bin").join(path)
}

/// A command of `dotnet` that leaves no server behind.
fn dotnet(verb: &str, library: &Path) -> Command {
    let mut command = program("dotnet", &[verb, "--configuration", "Release"]);
    command
        .args(["-nodeReuse:false", "-p:UseSharedCompilation=false"])
        .arg(format!("-p:SivkaNativeLibrary={}", library.display()))
        .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
        .env("DOTNET_NOLOGO", "1")
        .current_dir(package());
    command
}

/// `dotnet test`, whose summary has a line for each test program and runtime.
fn tests(library: &Path, arguments: &[&str], programs: usize, tally: &mut Tally) {
    let mut summaries = Vec::new();
    let success = run_lines(
        dotnet("test", library)
            .args(["--no-build", "--blame-hang-timeout", "10m"])
            .args(["--blame-hang-dump-type", "none"])
            .args(arguments),
        |line| summaries.extend(Summary::read(line)),
    );
    let failed = summaries.iter().any(|summary| summary.failed > 0);
    if (!success && !failed) || summaries.len() != programs {
        let name = "the .NET package (a test program broke off or was not run)";
        tally.add(name, 0, 1);
    }
    for summary in summaries {
        let name = format!("the .NET package: {}", summary.program);
        tally.add_with_ignored(name, summary.passed, summary.failed, summary.skipped);
    }
}

/// What the packages and those of their symbols say of themselves, and have in them.
fn content() -> Result<(), Failure> {
    let both = [
        "type=\"expression\">MIT OR Apache-2.0<",
        "<projectUrl>https://sivka.dev/<",
        "url=\"https://github.com/sivka-dev/sivka\"",
        "\"/README.md\"",
        "\"/LICENSE-APACHE\"",
        "\"/LICENSE-MIT\"",
    ];
    let library = ["net8.0", "net10.0", "netstandard2.0"];
    for (package, targets) in [
        ("Sivka", &library[..]),
        ("Sivka.DataProtection", &["net10.0"]),
    ] {
        let said = manifest(package, "")? + &manifest(package, ".symbols")?;
        let files = targets.iter().flat_map(|target| {
            ["dll", "xml", "pdb"].map(|kind| format!("\"lib/{target}/{package}.{kind}\""))
        });
        let native = (package == "Sivka").then(|| "\"runtimes/".to_owned());
        let wanted = both.map(str::to_owned).into_iter();
        for one in wanted.chain(files).chain(native) {
            if !said.contains(&one) {
                let message = format!("the package {package} lacks {one}");
                return Err(Failure::new(message));
            }
        }
    }
    Ok(())
}

/// What was written into a package when it was packed.
fn manifest(package_name: &str, kind: &str) -> Result<String, Failure> {
    let file = format!("{package_name}.{}{kind}.nuspec", env!("CARGO_PKG_VERSION"));
    let folder = package().join("artifacts/obj").join(package_name);
    let path = folder.join("Release").join(file);
    fs::read_to_string(&path).map_err(|e| Failure::new(format!("{}: {e}", path.display())))
}

/// The examples compiled ahead of time print what they print otherwise.
fn ahead_of_time(library: &Path, tally: &mut Tally) {
    let name = "the .NET examples, compiled ahead of time";
    let compare = || {
        let mut publish = dotnet("publish", library);
        publish.args(["Sivka.Examples", "--framework", "net8.0"]);
        publish.args(["--use-current-runtime", "-p:CppCompilerAndLinker=gcc"]);
        // For one target and platform, with files of its own, so that nothing else is
        // restored anew.
        let artifacts = package().join("artifacts/ahead-of-time");
        publish.arg(format!("-p:ArtifactsPath={}", artifacts.display()));
        publish.arg("-p:TargetFrameworks=net8.0");
        succeed(publish.arg("-p:DisableTransitiveFrameworkReferenceDownloads=true"))?;
        let jit = built_file("Sivka.Examples/release_net8.0/Sivka.Examples.dll");
        let expected = capture(program("dotnet", &["exec"]).arg(jit))?;
        let native = artifacts.join("publish/Sivka.Examples/release_net8.0/Sivka.Examples");
        let given = capture(&mut Command::new(native))?;
        if expected.is_empty() || expected != given {
            let message = format!("prints\n{given}and not\n{expected}");
            return Err(Failure::new(message));
        }
        Ok(())
    };
    tally.add_check(name, &compare());
}

/// What one test program said.
#[derive(Debug, PartialEq, Eq)]
struct Summary {
    program: String,
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Summary {
    /// Reads `Passed!  - Failed: 0, Passed: 9, Skipped: 0, Total: 9, Duration: 1 s - X.dll (net8.0)`.
    fn read(line: &str) -> Option<Self> {
        let line = line.trim();
        let verdict = ["Passed!", "Failed!", "Skipped!"];
        let rest = verdict.iter().find_map(|word| line.strip_prefix(word))?;
        let (counts, program) = rest.trim_start_matches([' ', '-']).rsplit_once(" - ")?;
        let count = |name: &str| {
            let mut parts = counts.split(',').map(str::trim);
            let value = parts.find_map(|part| part.strip_prefix(name)?.strip_prefix(':'));
            value?.trim().parse().ok()
        };
        Some(Self {
            program: program.replace(".dll", ""),
            passed: count("Passed")?,
            failed: count("Failed")?,
            skipped: count("Skipped")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_dotnet_test_are_read() {
        let line = "Failed!  - Failed:     2, Passed:    19, Skipped:     1, Total:    22, Duration: 1 s - Sivka.Tests.dll (net8.0)";
        let wanted = Summary {
            program: "Sivka.Tests (net8.0)".into(),
            passed: 19,
            failed: 2,
            skipped: 1,
        };
        assert_eq!(Summary::read(line), Some(wanted));
        assert_eq!(Summary::read("Passed! of something else"), None);
        assert_eq!(Summary::read("  Sivka -> Sivka.dll"), None);
    }
}
