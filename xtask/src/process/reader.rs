//! Reads the counts of programs that run tests: libtest and `cargo test`, pytest, `dotnet test`,
//! Surefire, `go test -v`, and our own (`12 passed, 0 failed`).

use super::tally::Tally;

/// Passed, failed, not run.
type Counts = [u64; 3];

/// Reads the output of a command into a [`Tally`].
pub(super) struct Reader {
    tally: Tally,
    /// The command's name, if its output names no program.
    name: String,
    /// A named test program without a result so far.
    running: Option<String>,
}

impl Reader {
    pub(super) fn new(name: &str) -> Self {
        Self { tally: Tally::default(), name: name.to_owned(), running: None }
    }

    pub(super) fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(what) = line.strip_prefix("NOT RUN: ") {
            let (what, needs) = what.split_once(": ").unwrap_or((what, "something"));
            let needs = needs.trim_end_matches(" is missing");
            self.tally.add_not_run(what, needs);
        } else if let Some(what) = trimmed.strip_prefix("Running ") {
            self.start(what);
        } else if let Some(what) = trimmed.strip_prefix("Doc-tests ") {
            self.start(&format!("doc tests of {what}"));
        } else if let Some([passed, failed, ignored]) = counts(line) {
            if let Some(name) = self.running.take() {
                self.tally.add(name, 0, 0);
            } else if self.tally.programs.is_empty() {
                self.tally.add(self.name.clone(), 0, 0);
            }
            let last = self.tally.programs.last_mut().expect("one was added");
            last.passed += passed;
            last.failed += failed;
            last.ignored += ignored;
        }
    }

    /// `tests/conformance.rs (target/debug/deps/conformance-0123456789abcdef)`
    fn start(&mut self, what: &str) {
        self.break_off();
        let program = what.rsplit('/').next().unwrap_or_default();
        let program = program.rsplit_once('-').map_or("", |(name, _)| name);
        let what = what.split(" (").next().unwrap_or_default();
        self.running = Some(if what.starts_with("unittests") {
            format!("{program}: {what}")
        } else {
            what.to_owned()
        });
    }

    /// The program named before ended without a result.
    fn break_off(&mut self) {
        if let Some(name) = self.running.take() {
            let name = format!("{name} (ended without a result)");
            self.tally.add(name, 0, 1);
        }
    }

    /// The counts, once the command has ended. A command that fails without a failure in its counts
    /// is one failure: it did not compile, or it crashed. A program that ran no test is a failure
    /// too: it must not look like one that passed.
    pub(super) fn finish(mut self, success: bool) -> Tally {
        self.break_off();
        let (mut tally, name) = (self.tally, self.name);
        for program in &mut tally.programs {
            let is_empty = program.passed + program.failed + program.ignored == 0;
            if is_empty && (program.name.starts_with("tests/") || program.name == name) {
                program.name.push_str(" (ran no test)");
                program.failed = 1;
            }
        }
        if !success && tally.failed() == 0 && !tally.lacks_tools() {
            tally.add(format!("{name} (did not build or broke off)"), 0, 1);
        }
        if tally.programs.is_empty() && !tally.lacks_tools() {
            tally.add(format!("{name} (ran nothing)"), 0, 1);
        }
        tally
    }
}

/// The counts of a line, if it has any.
fn counts(line: &str) -> Option<Counts> {
    // Go indents the parts of a test.
    let verdicts = ["--- PASS: ", "--- FAIL: ", "--- SKIP: "];
    if let Some(at) = verdicts.iter().position(|word| line.starts_with(word)) {
        return Some([0, 1, 2].map(|place| u64::from(place == at)));
    }
    let line = line.trim();
    let is_separator = |c| [' ', ',', ';', ':', '='].contains(&c);
    let words: Vec<&str> = line.split(is_separator).filter(|w| !w.is_empty()).collect();
    // The number before a label, or after it.
    let sum = |labels: &[&str], is_before: bool| {
        let pairs = words.windows(2).map(|pair| match is_before {
            true => (pair[0], pair[1]),
            false => (pair[1], pair[0]),
        });
        let counted = pairs.filter(|(_, label)| labels.contains(label));
        counted.filter_map(|(n, _)| n.parse::<u64>().ok()).sum::<u64>()
    };
    let is_of_pytest = words.contains(&"in")
        && words.len() > 3
        && words[0].parse::<u64>().is_ok()
        && ["passed", "failed", "error", "errors", "skipped"].contains(&words[1]);
    let is_ours = matches!(words[..], [passed, "passed", failed, "failed"]
        if passed.parse::<u64>().is_ok() && failed.parse::<u64>().is_ok());
    if line.starts_with("test result: ") || is_of_pytest || is_ours {
        let failed = sum(&["failed", "error", "errors"], true);
        return Some([sum(&["passed"], true), failed, sum(&["ignored", "skipped"], true)]);
    }
    let of_dotnet = ["Passed!", "Failed!", "Skipped!"];
    if of_dotnet.iter().any(|word| line.starts_with(word)) && line.contains("Total:") {
        return Some(["Passed", "Failed", "Skipped"].map(|label| sum(&[label], false)));
    }
    // Surefire counts each class with its time, and then all together.
    if line.contains("Tests run: ") && !line.contains("Time elapsed") {
        let [run, skipped] = ["run", "Skipped"].map(|label| sum(&[label], false));
        let failed = sum(&["Failures", "Errors"], false);
        return Some([run.saturating_sub(failed + skipped), failed, skipped]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, success: bool) -> Vec<(String, u64, u64)> {
        let mut reader = Reader::new("step");
        text.lines().for_each(|line| reader.line(line));
        let programs = reader.finish(success).programs.into_iter();
        programs.map(|program| (program.name, program.passed, program.failed)).collect()
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
test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.5s
";
        let wanted = [
            ("sivka: unittests src/lib.rs".to_owned(), 3, 0),
            ("tests/conformance.rs".to_owned(), 10, 2),
            ("doc tests of sivka".to_owned(), 5, 0),
        ];
        assert_eq!(read(text, false), wanted);
    }

    /// A line is `passed failed skipped | line`, or has no numbers where nothing is counted.
    #[test]
    fn each_kind_of_test_is_counted() {
        let cases = "
            729 0 0 | 729 passed in 11.35s
            700 3 26 | = 1 failed, 2 errors, 700 passed, 26 skipped in 11.35s =
            12 3 0 | 12 passed, 3 failed
            0 0 1 | --- SKIP: TestC (0.00s)
            6 3 3 | [INFO] Tests run: 12, Failures: 1, Errors: 2, Skipped: 3
            19 2 1 | Failed!  - Failed:     2, Passed:    19, Skipped:     1, Total:    22, Duration: 1 s
            - | Passed! of something else
            - | all tests passed in 3 s
            - | [INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.5 s
            - | ok  \tsivka.dev/go\t0.018s
            - |   2 passed of 3";
        for case in cases.trim().lines() {
            let (wanted, line) = case.split_once(" | ").unwrap();
            let found = counts(line).map(|found| found.map(|n| n.to_string()).join(" "));
            assert_eq!(found.as_deref().unwrap_or("-"), wanted.trim(), "{line}");
        }
        let go = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.10s)\nFAIL\n";
        assert_eq!(read(go, false), [("step".to_owned(), 1, 1)]);
    }

    #[test]
    fn silence_is_not_success() {
        let started = "     Running tests/conformance.rs (target/debug/deps/conformance-0123)\n";
        let empty =
            format!("{started}test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n");
        assert_eq!(read("", true)[0].2, 1);
        assert_eq!(read("error: could not compile", false)[0].2, 1);
        assert_eq!(read("0 passed, 0 failed", true)[0].2, 1);
        assert_eq!(read(started, false)[0].2, 1);
        assert_eq!(read(&empty, true)[0].2, 1);
    }
}
