//! Reading what libtest and `cargo test` print.

use super::tally::{ProgramCounts, Tally};

/// Reads the lines of libtest and of `cargo test` into a [`Tally`].
pub(super) struct Reader {
    tally: Tally,
    name: String,
    running: Option<String>,
}

impl Reader {
    /// Of a program that is called `name` where it does not say what it runs.
    pub(super) fn new(name: &str) -> Self {
        Self {
            tally: Tally::default(),
            name: name.to_owned(),
            running: None,
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(what) = trimmed.strip_prefix("Running ") {
            self.start(what);
        } else if let Some(what) = trimmed.strip_prefix("Doc-tests ") {
            self.start(&format!("doc tests of {what}"));
        } else if let Some(result) = line.strip_prefix("test result: ") {
            let count = |label: &str| {
                let mut words = result
                    .split([' ', ';'])
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev();
                words.find(|word| *word == label)?;
                words.next()?.parse::<u64>().ok()
            };
            let counts = (count("passed"), count("failed"), count("ignored"));
            if let (Some(passed), Some(failed), Some(ignored)) = counts {
                let name = self.running.take().unwrap_or_else(|| self.name.clone());
                self.tally.programs.push(ProgramCounts {
                    name,
                    passed,
                    failed,
                    ignored,
                });
            }
        }
    }

    /// The program before this one ended without a result: it broke off.
    fn start(&mut self, what: &str) {
        self.break_off();
        // `tests/conformance.rs (target/debug/deps/conformance-0123456789abcdef)`
        let program = what.rsplit('/').next().unwrap_or_default();
        let program = program.rsplit_once('-').map_or("", |(name, _)| name);
        let what = what.split(" (").next().unwrap_or_default();
        self.running = Some(if what.starts_with("unittests") {
            format!("{program}: {what}")
        } else {
            what.to_owned()
        });
    }

    fn break_off(&mut self) {
        if let Some(name) = self.running.take() {
            self.tally
                .add(format!("{name} (ended without a result)"), 0, 1);
        }
    }

    /// What was read, once the program has ended.
    ///
    /// One that failed without having said so in its counts (it did not compile, it crashed)
    /// counts as one failure. An integration test that ran no test at all counts as another: a
    /// program that tests nothing must not look like one that passed.
    pub(super) fn finish(mut self, success: bool) -> Tally {
        self.break_off();
        let (mut tally, name) = (self.tally, self.name);
        for program in &mut tally.programs {
            let ran = program.passed + program.failed + program.ignored;
            if program.name.starts_with("tests/") && ran == 0 {
                program.name.push_str(" (ran no test)");
                program.failed = 1;
            }
        }
        if !success && tally.failed() == 0 {
            tally.add(format!("{name} (did not build or broke off)"), 0, 1);
        }
        if tally.programs.is_empty() {
            tally.add(format!("{name} (ran nothing)"), 0, 1);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, success: bool) -> Vec<(String, u64, u64)> {
        let mut reader = Reader::new("step");
        text.lines().for_each(|line| reader.line(line));
        let programs = reader.finish(success).programs.into_iter();
        programs
            .map(|program| (program.name, program.passed, program.failed))
            .collect()
    }

    #[test]
    fn results_are_counted_under_their_program() {
        let text = "\
   Compiling sivka v0.1.0
     Running unittests src/lib.rs (target/debug/deps/sivka-0123456789abcdef)
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
     Running tests/conformance.rs (target/debug/deps/conformance-0123456789abcdef)
test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s
   Doc-tests sivka
test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.5s
";
        let wanted = [
            ("sivka: unittests src/lib.rs".to_owned(), 3, 0),
            ("tests/conformance.rs".to_owned(), 10, 2),
            ("doc tests of sivka".to_owned(), 4, 0),
        ];
        assert_eq!(read(text, false), wanted);
    }

    #[test]
    fn silence_is_not_success() {
        assert_eq!(read("", true)[0].2, 1);
        assert_eq!(read("error: could not compile", false)[0].2, 1);
        let crashed = "     Running tests/conformance.rs (target/debug/deps/conformance-0123)\nrunning 3 tests\n";
        assert_eq!(read(crashed, false)[0].2, 1);
        let empty = "     Running tests/conformance.rs (target/debug/deps/conformance-0123)
test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s\n";
        assert_eq!(read(empty, true)[0].2, 1);
    }
}
