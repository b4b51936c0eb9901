//! The Java package: tested with the oldest JDK that it is for, and with a new one.

use super::{Language, Runtimes};
use crate::jdk;
use crate::process::{Tally, exists, program, project_root, succeed, surefire_counts};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// From where on a JDK counts as new.
const NEW: u32 = 22;

/// Runs the tests, and returns what the matrix of languages is to run.
pub(super) fn run(runtimes: Runtimes, library: &Path, tally: &mut Tally) -> Vec<Language> {
    let jdks = jdk::installed();
    let older = jdks.range(jdk::OLDEST..NEW).next();
    let newer = jdks.range(NEW..).next_back();
    if !exists("mvn") {
        tally.add_not_run("the Java package", "Maven, as `mvn`");
        return Vec::new();
    }
    let (tested, what, from, to) = match runtimes {
        Runtimes::Newest => (newer, "a new", NEW, "on"),
        Runtimes::Others => (older, "an old", jdk::OLDEST, "before 22"),
    };
    let Some((version, home)) = tested else {
        let what = format!("the Java package on {what} JDK");
        tally.add_not_run(&what, &format!("a JDK from {from} {to}"));
        return Vec::new();
    };
    // The oldest builds it, for everyone.
    let (_, builder) = older.unwrap_or((version, home));
    match test(*version, home, builder, library, tally) {
        true => vec![matrix_program(*version, home)],
        false => Vec::new(),
    }
}

fn package() -> PathBuf {
    project_root().join("bindings/java")
}

/// Builds and tests with Maven; whether there is something that the matrix can run.
fn test(version: u32, home: &Path, builder: &Path, library: &Path, tally: &mut Tally) -> bool {
    let name = format!("the Java package on JDK {version}");
    for module in modules() {
        // Reports of an earlier run are no reports of this one.
        let _ = fs::remove_dir_all(module.join("target/surefire-reports"));
    }
    let mut command = program("mvn", &["--quiet", "--batch-mode", "verify"]);
    command
        .arg(format!("-Dsivka.static.library={}", library.display()))
        .arg(format!("-Djvm={}", home.join("bin/java").display()))
        .env("JAVA_HOME", builder)
        .current_dir(package());
    let result = succeed(&mut command);
    let counts = modules().map(|module| surefire_counts(&module.join("target/surefire-reports")));
    let sum = |at: usize| counts.iter().map(|count| count[at]).sum::<u64>();
    let (ran, mut failed, skipped) = (sum(0), sum(1), sum(2));
    if let Err(failure) = &result {
        println!("FAILED: {failure}");
    }
    if failed == 0 && (result.is_err() || ran == skipped) {
        failed = 1;
    }
    let passed = ran.saturating_sub(failed + skipped);
    println!("{name}: {passed} passed, {failed} failed, {skipped} skipped");
    tally.add_with_ignored(name, passed, failed, skipped);
    result.is_ok()
}

fn matrix_program(version: u32, home: &Path) -> Language {
    let target = package().join("sivka/target");
    let class_path = env::join_paths([target.join("classes"), target.join("test-classes")]);
    Language::new(
        format!("java{version}"),
        &[
            &home.join("bin/java"),
            Path::new("--enable-native-access=ALL-UNNAMED"),
            Path::new("-cp"),
            Path::new(&class_path.unwrap_or_default()),
            Path::new("dev.sivka.MatrixProgram"),
        ],
    )
}

fn modules() -> [PathBuf; 2] {
    ["sivka", "benchmark"].map(|module| package().join(module))
}
