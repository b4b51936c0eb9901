//! The Java package: tested with the oldest JDK that it is for, and with a new one.

use super::Language;
use crate::process::{Failure, Tally, exists, program, project_root, succeed};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The oldest Java that the package is for, and from where on a JDK counts as new.
const OLDEST: u32 = 17;
const NEW: u32 = 22;

/// Runs the tests, and returns what the matrix of languages is to run.
pub(super) fn run(library: &Path, tally: &mut Tally) -> Vec<Language> {
    let jdks = installed();
    let older = jdks.range(OLDEST..NEW).next();
    let newer = jdks.range(NEW..).next_back();
    if !exists("mvn") {
        tally.add_not_run("the Java package", "Maven, as `mvn`");
        return Vec::new();
    }
    if older.is_none() {
        let needs = format!("a JDK from {OLDEST} to {}", NEW - 1);
        tally.add_not_run("the Java package on an old JDK", &needs);
    }
    if newer.is_none() {
        let needs = format!("a JDK of {NEW} or newer");
        tally.add_not_run("the Java package on a new JDK", &needs);
    }
    // The oldest builds it, for everyone.
    let Some((_, builder)) = older.or(newer) else {
        return Vec::new();
    };
    let found = [older, newer].into_iter().flatten();
    let tested = found.filter(|(version, home)| test(**version, home, builder, library, tally));
    tested
        .map(|(version, home)| matrix_program(*version, home))
        .collect()
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

/// What the reports in a folder of Surefire's count: run, failed, skipped.
pub(crate) fn surefire_counts(folder: &Path) -> [u64; 3] {
    let texts = files_in(folder)
        .into_iter()
        .filter(|file| file.extension() == Some(OsStr::new("txt")));
    let reports = texts.filter_map(|file| fs::read_to_string(file).ok());
    let counts = reports.filter_map(|report| read_report(&report));
    counts.fold([0; 3], |sum, [run, failures, errors, skipped]| {
        [sum[0] + run, sum[1] + failures + errors, sum[2] + skipped]
    })
}

/// The counts of a report of Surefire's: run, failures, errors, skipped.
fn read_report(report: &str) -> Option<[u64; 4]> {
    let line = report
        .lines()
        .find(|line| line.starts_with("Tests run: "))?;
    let mut counts = line.split(", ").map(|part| part.rsplit(": ").next());
    let mut count = || counts.next()??.parse().ok();
    Some([count()?, count()?, count()?, count()?])
}

/// Every JDK that is found, by its version: in `JAVA_HOME`, on the path, and where Linux
/// distributions put them.
pub(crate) fn installed() -> BTreeMap<u32, PathBuf> {
    let mut homes: Vec<PathBuf> = env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    let path = env::var_os("PATH").unwrap_or_default();
    homes.extend(env::split_paths(&path).filter_map(|folder| {
        let compiler = folder.join("javac").canonicalize().ok()?;
        Some(compiler.parent()?.parent()?.to_owned())
    }));
    homes.extend(files_in(Path::new("/usr/lib/jvm")));
    let mut jdks = BTreeMap::new();
    for home in homes {
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        if let (Some(version), true) = (version_of(&release), home.join("bin/javac").exists()) {
            jdks.entry(version).or_insert(home);
        }
    }
    jdks
}

/// The oldest that is found of those that the package is for: it builds for all.
pub(crate) fn oldest() -> Result<PathBuf, Failure> {
    let found = installed()
        .into_iter()
        .find(|(version, _)| *version >= OLDEST);
    let found = found.ok_or_else(|| Failure::new(format!("there is no JDK from {OLDEST} on")))?;
    Ok(found.1)
}

/// 17 for `JAVA_VERSION="17.0.15"`.
fn version_of(release: &str) -> Option<u32> {
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    version.split(['.', '-', '"']).next()?.parse().ok()
}

/// The paths in a folder, in the order of their names; none if there is no such folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_surefire_are_read() {
        let report = "----\nTest set: dev.sivka.BatchesTest\n----\n\
             Tests run: 12, Failures: 1, Errors: 2, Skipped: 3, Time elapsed: 0.5 s - in x\n";
        assert_eq!(read_report(report), Some([12, 1, 2, 3]));
        assert_eq!(read_report(""), None);
    }

    #[test]
    fn versions_of_jdks_are_read() {
        let version =
            |text: &str| version_of(&format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{text}\"\n"));
        assert_eq!(version("17.0.15"), Some(17));
        assert_eq!(version("25"), Some(25));
        assert_eq!(version("26-ea"), Some(26));
        assert_eq!(version("1.8.0_402"), Some(1));
        assert_eq!(version_of(""), None);
    }
}
