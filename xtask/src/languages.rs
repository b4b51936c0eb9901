//! The tests of what is not Rust alone: packages in other languages, engines for SQL, and other
//! people's libraries as judges; and the matrix of what each language seals and each other opens.
//!
//! `rows.rs` has the commands. What they need and this machine lacks is said, and in CI it is a
//! failure.

mod checks;
mod rows;

use crate::files::read_text;
use crate::install::Built;
use crate::jdk;
use crate::process::{
    Failure, Tally, WORKSPACE, beside, exists, locked, program, project_root, run_tests, succeed,
};
use rows::Step::{Check, Run, Test};
use rows::{DOTNET, SPARK_CLASS_PATH, Suite};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// The tests of every package on its newest runtime, against the C library that the tests of
/// Rust are built with.
pub(crate) fn newest() -> Tally {
    let mut tally = Tally::default();
    for tool in ["valgrind", "pkg-config", "cmake"] {
        if !exists(tool) {
            tally.add_not_run("the tests of the C interface that need it", tool);
        }
    }
    run(&rows::NEWEST, Built::of_tests, &mut tally);
    tally
}

/// The older runtimes, against the C library as it ships.
pub(crate) fn older() -> Tally {
    of(&rows::OLDER, || Built::build("release"))
}

/// What Go and .NET are built for beside this machine, and how else.
pub(crate) fn otherwise_built() -> Tally {
    of(&rows::OTHERWISE_BUILT, Built::of_tests)
}

/// Google's Tink, in Go, Java and Python, judges our keysets, and OpenSSL our AES-SIV.
pub(crate) fn judges() -> Tally {
    of(&rows::JUDGES, Built::of_tests)
}

/// DuckDB and PostgreSQL.
pub(crate) fn databases() -> Tally {
    of(&rows::DATABASES, Built::of_tests)
}

/// The newest line of Spark, in one process.
pub(crate) fn spark() -> Tally {
    of(&[rows::SPARK], Built::of_tests)
}

/// The same on a cluster.
pub(crate) fn spark_on_cluster() -> Tally {
    of(&[rows::SPARK_ON_CLUSTER], || Built::build("release"))
}

/// Every engine; with `all`, older lines of Spark, a cluster, and other ways to them.
pub(crate) fn engines(all: bool) -> Tally {
    let mut tally = databases();
    tally.append("", spark());
    if all {
        // They build in one folder.
        for suite in rows::BY_HAND.chunks(1) {
            tally.append("", of(suite, || Built::build("release")));
        }
    } else {
        tally.add_left_out(
            "older lines of Spark, its cluster, Python and JDBC (cargo xtask integrations --all)",
        );
    }
    tally
}

fn of(suites: &[Suite], build: fn() -> Result<Built, Failure>) -> Tally {
    let mut tally = Tally::default();
    run(suites, build, &mut tally);
    tally
}

fn run(suites: &[Suite], build: fn() -> Result<Built, Failure>, tally: &mut Tally) {
    if !exists("cc") {
        return tally.add_not_run("the packages in other languages", "a C compiler, as `cc`");
    }
    let library = match tally.stage("the C library", |_| build()) {
        Ok(library) => library,
        Err(failure) => return tally.add_check("the C library", &Err(failure)),
    };
    let here = Here {
        library,
        jdks: jdk::installed(),
    };
    // Most of a suite keeps one processor busy: the halves run beside each other.
    let halves = suites.chunks(suites.len().div_ceil(2));
    let halves = halves.map(|half| || here.run_all(half));
    let mut plays = Vec::new();
    for (half, played) in beside(halves.collect()) {
        tally.append("", half);
        plays.extend(played);
    }
    if !plays.is_empty() {
        here.run_matrix(&plays, tally);
    }
}

/// What the rows have in braces.
struct Here {
    library: Built,
    jdks: BTreeMap<u32, PathBuf>,
}

/// A name and the words of a command.
type Play = (&'static str, &'static str);

impl Here {
    /// Runs suites, and returns what the matrix is to run.
    fn run_all(&self, suites: &[Suite]) -> (Tally, Vec<Play>) {
        let (mut tally, mut plays) = (Tally::default(), Vec::new());
        for suite in suites {
            tally.stage(suite.name, |part| {
                self.run(suite, part);
                if part.failed() == 0 && !part.lacks_tools() {
                    plays.extend(suite.plays);
                }
            });
        }
        (tally, plays)
    }

    fn run(&self, suite: &Suite, tally: &mut Tally) {
        for (name, what) in rows::NEEDS
            .iter()
            .filter(|(name, _)| suite.needs.contains(name))
        {
            if !self.has(name) {
                return tally.add_not_run(suite.name, what);
            }
        }
        for step in suite.steps {
            let (name, result) = match step {
                Test(line) => {
                    let command = &mut self.command(line);
                    tally.append("", run_tests(suite.name, command));
                    continue;
                }
                Run(line) => (line.to_string(), succeed(&mut self.command(line))),
                Check(name, check) => ((*name).to_owned(), check()),
            };
            tally.add_check(&format!("{}: {name}", suite.name), &result);
            if result.is_err() {
                return;
            }
        }
    }

    fn has(&self, need: &str) -> bool {
        match need {
            "newest-jdk" => self.newest_jdk().is_some(),
            "oldest-jdk" => self.oldest_jdk().is_some(),
            "postgresql" => checks::has_postgresql(),
            program => exists(program),
        }
    }

    /// The JDK that a user of a new Java has: the interface for native code is final there.
    fn newest_jdk(&self) -> Option<(&u32, &PathBuf)> {
        self.jdks.range(22..).next_back()
    }

    fn oldest_jdk(&self) -> Option<(&u32, &PathBuf)> {
        self.jdks.range(jdk::OLDEST..).next()
    }

    /// A row: the folder, variables, the program and its arguments.
    fn command(&self, line: &str) -> Command {
        let words = line.split_whitespace().flat_map(|word| match word {
            "{workspace}" => [&WORKSPACE[..], locked()].concat(),
            "{dotnet}" => DOTNET.to_vec(),
            word => vec![word],
        });
        let mut words = words.map(|word| self.filled(word)).peekable();
        let folder = words.next().unwrap_or_default();
        let mut variables = Vec::new();
        while let Some(variable) = words.next_if(|word| is_variable(word)) {
            variables.extend(
                variable
                    .split_once('=')
                    .map(|(k, v)| (k.to_owned(), v.to_owned())),
            );
        }
        let mut command = program(&words.next().unwrap_or_default(), &[]);
        command.args(words).envs(variables);
        command.current_dir(project_root().join(folder));
        command
    }

    fn filled(&self, word: &str) -> String {
        let home = |jdk: Option<(&u32, &PathBuf)>| {
            jdk.map(|(_, home)| home.display().to_string())
                .unwrap_or_default()
        };
        let filled = word
            .replace("{root}", &project_root().display().to_string())
            .replace("{archive}", &self.library.archive.display().to_string())
            .replace("{shared}", &self.library.shared.display().to_string())
            .replace("{newest-jdk}", &home(self.newest_jdk()))
            .replace("{oldest-jdk}", &home(self.oldest_jdk()))
            .replace("{tab}", "\t")
            .replace("{line}", "\n");
        // An earlier row has written it.
        let class_path = || read_text(&project_root().join(SPARK_CLASS_PATH)).unwrap_or_default();
        match filled.split_once("{spark-class-path}") {
            Some((before, after)) => format!("{before}{}{after}", class_path().trim()),
            None => filled,
        }
    }

    /// Each program is a line in `SIVKA_MATRIX`, as `ffi/tests/matrix.rs` reads it.
    fn run_matrix(&self, plays: &[Play], tally: &mut Tally) {
        let names: Vec<&str> = plays.iter().map(|(name, _)| *name).collect();
        let name = format!("the matrix of Rust, C, {}", names.join(", "));
        let lines = plays.iter().map(|(name, words)| {
            let words = words.split_whitespace().map(|word| self.filled(word));
            format!("{name}\t{}", words.collect::<Vec<_>>().join("\t"))
        });
        let lines: Vec<String> = lines.collect();
        // With the whole workspace, for which it is built already.
        let mut command = self.command(". cargo test --test matrix {workspace} -- --nocapture");
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

/// `CGO_ENABLED=0`, and not `-p:A=B`.
fn is_variable(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_commands() {
        let library = Built {
            archive: "/a.a".into(),
            shared: "/a.so".into(),
        };
        let here = Here {
            library,
            jdks: BTreeMap::from([(17, "/17".into()), (25, "/25".into())]),
        };
        let line =
            "docs JAVA_HOME={oldest-jdk} A_B=x{tab}y mvn -Dl={archive} {dotnet} -j={newest-jdk}";
        let command = here.command(line);
        assert_eq!(command.get_program(), "mvn");
        let words: Vec<String> = command
            .get_args()
            .map(|a| a.to_string_lossy().into())
            .collect();
        assert_eq!(words[0], "-Dl=/a.a");
        assert_eq!(words[1..words.len() - 1].len(), DOTNET.len());
        assert_eq!(words[words.len() - 1], "-j=/25");
        let variables: Vec<_> = command.get_envs().collect();
        assert_eq!(variables[0], ("A_B".as_ref(), Some("x\ty".as_ref())));
        assert_eq!(variables[1], ("JAVA_HOME".as_ref(), Some("/17".as_ref())));
        assert!(
            command
                .get_current_dir()
                .is_some_and(|folder| folder.ends_with("docs"))
        );
    }

    #[test]
    fn needs_and_folders_of_rows_are_known() {
        let groups: [&[Suite]; 6] = [
            &rows::NEWEST,
            &rows::OLDER,
            &rows::OTHERWISE_BUILT,
            &rows::JUDGES,
            &rows::DATABASES,
            &rows::BY_HAND,
        ];
        for suite in groups
            .into_iter()
            .flatten()
            .chain([&rows::SPARK, &rows::SPARK_ON_CLUSTER])
        {
            for need in suite.needs {
                assert!(rows::NEEDS.iter().any(|(known, _)| known == need), "{need}");
            }
            for step in suite.steps {
                if let Run(line) | Test(line) = step {
                    let folder = line.split(' ').next().unwrap_or_default();
                    assert!(project_root().join(folder).is_dir(), "{line}");
                }
            }
        }
        let written = format!("{{root}}/{SPARK_CLASS_PATH}");
        let steps = rows::BY_HAND.iter().flat_map(|suite| suite.steps);
        let mut lines = steps.filter_map(|step| {
            if let Run(line) = step {
                Some(line)
            } else {
                None
            }
        });
        assert!(lines.any(|line| line.ends_with(&written)));
    }
}
