//! The Python package, which tests itself in every CPython that it finds.

use super::Language;
use crate::process::{Tally, exists, program, project_root, pytest_counts, run_lines};
use std::path::Path;

/// Runs the tests, and returns what the matrix of languages is to run.
pub(super) fn run(library: &Path, tally: &mut Tally) -> Vec<Language> {
    if !exists("python3") {
        tally.add_not_run("the Python package", "CPython, as `python3`");
        return Vec::new();
    }
    let mut command = program("python3", &["bindings/python/test.py"]);
    command.env("SIVKA_STATIC_LIBRARY", library);
    let mut reader = Reader::default();
    let success = run_lines(&mut command, |line| reader.line(line));
    for (what, needs) in &reader.not_run {
        tally.add_not_run(what, needs);
    }
    let (ran, failed) = (
        !reader.runs.is_empty(),
        reader.runs.iter().any(|run| run.failed > 0),
    );
    for Counts {
        environment,
        passed,
        failed,
        skipped,
    } in reader.runs
    {
        let name = format!("the Python package on the {environment} CPython");
        tally.add_with_ignored(name, passed, failed, skipped);
    }
    if (!success || !ran) && !failed && reader.not_run.is_empty() {
        tally.add("the Python package (did not build or broke off)", 0, 1);
    }
    let interpreter = project_root().join("target/python/venv/bin/python");
    let script = project_root().join("bindings/python/tests/matrix.py");
    let language = Language::new("python", &[&interpreter, &script]);
    if success && ran {
        vec![language]
    } else {
        Vec::new()
    }
}

/// What one run of pytest said.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    environment: String,
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// Reads what `test.py` prints.
#[derive(Debug, Default)]
struct Reader {
    running: Option<String>,
    runs: Vec<Counts>,
    not_run: Vec<(String, String)>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(reason) = line.strip_prefix("NOT RUN: ") {
            let (what, needs) = reason.split_once(": ").unwrap_or((reason, "something"));
            let needs = needs.trim_end_matches(" is missing");
            self.not_run.push((what.into(), needs.into()));
        } else if line.starts_with("$ ") && line.contains(" -m pytest ") {
            let oldest = line.contains("venv-oldest");
            let environment = if oldest { "oldest" } else { "newest" };
            self.running = Some(environment.to_owned());
        } else if let Some([passed, failed, skipped]) = pytest_counts(line) {
            let Some(environment) = self.running.take() else {
                return;
            };
            self.runs.push(Counts {
                environment,
                passed,
                failed,
                skipped,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_pytest_are_read() {
        let mut reader = Reader::default();
        let text = "\
$ /x/target/python/venv/bin/python -m pip install --quiet .[test]
$ /x/target/python/venv/bin/python -m pytest -q -p no:cacheprovider
........ [100%]
729 passed in 11.35s
$ /x/target/python/venv-oldest/bin/python -m pytest -q
1 failed, 2 errors, 700 passed, 26 skipped in 11.35s
NOT RUN: the Python package: a CPython is missing
";
        text.lines().for_each(|line| reader.line(line));
        let counts = |environment: &str, passed, failed, skipped| Counts {
            environment: environment.into(),
            passed,
            failed,
            skipped,
        };
        let wanted = [counts("newest", 729, 0, 0), counts("oldest", 700, 3, 26)];
        assert_eq!(reader.runs, wanted);
        let wanted = [("the Python package".to_owned(), "a CPython".to_owned())];
        assert_eq!(reader.not_run, wanted);
    }
}
