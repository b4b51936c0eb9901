//! Tests outside Rust: packages in other languages, engines for SQL, and other people's libraries
//! as judges; and the matrix, in which each language opens what each other sealed.
//!
//! `languages.toml` has the commands of each language. Missing tools are printed, and in CI they
//! are a failure.

use crate::blob;
use crate::files::files_in;
use crate::install::Built;
use crate::process::{
    Tally, WORKSPACE, beside, exists, locked, program, project_root, run_tests, succeed,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::{env, fs};

/// The oldest Java that the package is for, and the first whose interface for native code is final.
pub(crate) const OLDEST_JAVA: u32 = 17;
const NEWER_JAVA: u32 = 22;

/// The tests of the matrix, of Rust and C alone or with other languages.
pub(crate) const MATRIX: [&str; 2] =
    ["every_language_plays_every_vector", "what_one_language_seals_every_other_opens"];

/// The tests of every package on its newest runtime, with other work beside them; then the matrix.
pub(crate) fn newest(other: impl FnOnce(&mut Tally) + Send) -> Tally {
    let mut tally = Tally::default();
    for tool in ["valgrind", "pkg-config", "cmake"] {
        if !exists(tool) {
            tally.add_not_run("the tests of the C interface that need it", tool);
        }
    }
    tally.append("", beside_others("newest", other));
    tally
}

/// Every engine; with `all`, older lines of Spark, and Spark from Python.
pub(crate) fn engines(all: bool) -> Tally {
    let mut tally = of("databases");
    tally.append("", of("spark"));
    if all {
        tally.append("", of("by_hand"));
    } else {
        tally.add_left_out("older lines of Spark, and Python (cargo xtask integrations --all)");
    }
    tally
}

/// Tools, and groups of suites.
#[derive(Deserialize)]
struct Rows {
    needs: BTreeMap<String, [String; 2]>,
    #[serde(flatten)]
    groups: BTreeMap<String, Vec<Suite>>,
}

/// Commands of one language, and then its command for the matrix of languages.
#[derive(Deserialize)]
struct Suite {
    name: String,
    needs: Vec<String>,
    steps: Vec<String>,
    #[serde(default)]
    plays: BTreeMap<String, String>,
}

fn rows() -> Rows {
    toml::from_str(include_str!("../languages.toml")).expect("a test reads languages.toml")
}

/// The groups that have the C library as it ships. The others have the one that the tests of Rust
/// are built with.
const WITH_SHIPPED: [&str; 3] = ["older", "spark_on_cluster", "by_hand"];

/// Runs the suites of a group, and then the matrix with their builds.
pub(crate) fn of(group: &str) -> Tally {
    beside_others(group, |_| ())
}

fn beside_others(group: &str, other: impl FnOnce(&mut Tally) + Send) -> Tally {
    Tally::of("the C library", |tally| {
        if !exists("cc") {
            tally.add_not_run("the packages in other languages", "a C compiler, as `cc`");
            other(tally);
            return Ok(());
        }
        let library = tally.stage("the C library", |_| match WITH_SHIPPED.contains(&group) {
            true => Built::build("release"),
            false => Built::of_tests(),
        })?;
        let Rows { needs, groups } = rows();
        let (suites, here) = (&groups[group], Here::new(needs, &library));
        // Most of a suite keeps one processor busy: two run beside each other.
        let (other, queue) = (Mutex::new(Some(other)), Mutex::new(suites.iter()));
        let lane = || {
            let mut tally = Tally::default();
            let first = other.lock().ok().and_then(|mut other| other.take());
            first.into_iter().for_each(|work| work(&mut tally));
            let plays = here.run_all(|| queue.lock().ok()?.next(), &mut tally);
            (tally, plays)
        };
        let mut plays = Vec::new();
        for (part, played) in beside(vec![&lane, &lane]) {
            tally.append("", part);
            plays.extend(played);
        }
        if !plays.is_empty() || group == "newest" {
            here.run_matrix(&plays, tally);
        }
        Ok(())
    })
}

/// The variables of the steps, and the tools.
struct Here {
    variables: Vec<(&'static str, String)>,
    needs: BTreeMap<String, [String; 2]>,
}

impl Here {
    fn new(needs: BTreeMap<String, [String; 2]>, library: &Built) -> Self {
        let jdks = installed_jdks();
        let home = |jdk: Option<(_, &PathBuf)>| jdk.map(|(_, home)| home.display().to_string());
        let oldest = home(jdks.range(OLDEST_JAVA..).next()).unwrap_or_default();
        let newest = home(jdks.range(NEWER_JAVA..).next_back()).unwrap_or_default();
        let shared = library.shared.display().to_string();
        let dotnet = "--configuration Release -nodeReuse:false -p:UseSharedCompilation=false";
        let variables = vec![
            ("MVN", format!("env JAVA_HOME={oldest} mvn --batch-mode --no-transfer-progress")),
            ("NEWEST_JDK", newest),
            ("OLDEST_JDK", oldest),
            ("WORKSPACE", [&WORKSPACE[..], locked()].concat().join(" ")),
            ("ARCHIVE", library.archive.display().to_string()),
            ("VERSION", env!("CARGO_PKG_VERSION").to_owned()),
            ("DOTNET", format!("{dotnet} -p:SivkaNativeLibrary={shared}")),
            ("SHARED", shared),
            ("ROOT", project_root().display().to_string()),
        ];
        Self { variables, needs }
    }

    /// Runs suites while there is a next one, and returns the commands for the matrix.
    fn run_all<'s>(
        &self,
        next: impl Fn() -> Option<&'s Suite>,
        tally: &mut Tally,
    ) -> Vec<(&'s String, &'s String)> {
        let mut plays = Vec::new();
        while let Some(suite) = next() {
            tally.stage(&suite.name, |part| {
                self.run(suite, part);
                if part.failed() == 0 && !part.lacks_tools() {
                    plays.extend(&suite.plays);
                }
            });
        }
        plays
    }

    fn run(&self, suite: &Suite, tally: &mut Tally) {
        for need in &suite.needs {
            let [question, what] = &self.needs[need];
            let mut probe = self.command(question);
            probe.stdout(Stdio::null()).stderr(Stdio::null());
            if !probe.status().is_ok_and(|status| status.success()) {
                return tally.add_not_run(&suite.name, what);
            }
        }
        for step in &suite.steps {
            if let Some(("test", tests)) = step.split_once([' ', '\n']) {
                tally.append("", run_tests(&suite.name, &mut self.command(tests)));
                continue;
            }
            let result = match step.as_str() {
                "blob" => blob::ensure(true),
                "blob --here" => blob::ensure(false),
                step => succeed(&mut self.command(step)),
            };
            let first = step.trim().lines().next().unwrap_or_default();
            tally.add_check(&format!("{}: {first}", suite.name), &result);
            if result.is_err() {
                return;
            }
        }
    }

    fn command(&self, line: &str) -> Command {
        program("sh", &["-c", &self.filled(line)])
    }

    /// A line with its variables replaced. They are not in the environment, where MSBuild and
    /// others would use them.
    fn filled(&self, line: &str) -> String {
        let fill =
            |line: String, (name, value): &(&str, String)| line.replace(&format!("${name}"), value);
        self.variables.iter().fold(line.to_owned(), fill)
    }

    /// Each program is a line in `SIVKA_MATRIX`, as `ffi/tests/matrix.rs` reads it.
    fn run_matrix(&self, plays: &[(&String, &String)], tally: &mut Tally) {
        let names = plays.iter().map(|(name, _)| format!(", {name}"));
        let name = format!("the matrix of Rust, C{}", names.collect::<String>());
        let lines = plays.iter().map(|(name, words)| {
            let words = words.split_whitespace().map(|word| self.filled(word));
            format!("{name}\t{}", words.collect::<Vec<_>>().join("\t"))
        });
        let lines: Vec<String> = lines.collect();
        // With the whole workspace, for which it is built already.
        let mut command = self.command("cargo test --test matrix $WORKSPACE -- --nocapture");
        command.env("SIVKA_MATRIX", lines.join("\n"));
        tally.stage(&name, |part| {
            let mut played = run_tests(&name, &mut command);
            for program in &mut played.programs {
                program.name.clone_from(&name);
            }
            part.append("", played);
        });
    }
}

/// Every JDK that is found, by its version: in `JAVA_HOME`, and where Linux distributions put them.
pub(crate) fn installed_jdks() -> BTreeMap<u32, PathBuf> {
    let mut homes = Vec::from_iter(env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.extend(files_in(Path::new("/usr/lib/jvm")));
    let mut jdks = BTreeMap::new();
    for home in homes {
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        if let (Some(version), true) = (java_version(&release), home.join("bin/javac").exists()) {
            jdks.entry(version).or_insert(home);
        }
    }
    jdks
}

/// 17 for `JAVA_VERSION="17.0.15"`.
fn java_version(release: &str) -> Option<u32> {
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    version.split(['.', '-', '"']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_their_needs_are_known() {
        let library = Built { archive: "/a.a".into(), shared: "/a.so".into() };
        let Rows { needs, groups } = rows();
        for suite in groups.values().flatten() {
            assert!(!suite.steps.is_empty(), "{}", suite.name);
            assert!(suite.needs.iter().all(|need| needs.contains_key(need)), "{}", suite.name);
        }
        assert!(WITH_SHIPPED.iter().all(|group| groups.contains_key(*group)));
        let here = Here::new(needs, &library);
        let mut command = here.command("test $(echo $DOTNET | wc -w) = 5 && test $ARCHIVE = /a.a");
        assert!(command.status().unwrap().success());
    }

    #[test]
    fn versions_of_jdks_are_read() {
        let version =
            |text: &str| java_version(&format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{text}\"\n"));
        assert_eq!(version("17.0.15"), Some(17));
        assert_eq!(version("26-ea"), Some(26));
        assert_eq!(java_version(""), None);
    }
}
