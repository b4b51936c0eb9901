//! What Surefire and pytest count.

use super::files_in;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

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

/// What the last line of pytest counts: passed, failed, skipped.
pub(crate) fn pytest_counts(line: &str) -> Option<[u64; 3]> {
    let is_last = line.contains(" in ") && (line.contains(" passed") || line.contains(" failed"));
    let words: Vec<&str> = line
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let count = |labels: &[&str]| {
        let pairs = words.windows(2).filter(|pair| labels.contains(&pair[1]));
        pairs.filter_map(|pair| pair[0].parse::<u64>().ok()).sum()
    };
    let counts = [
        count(&["passed"]),
        count(&["failed", "error", "errors"]),
        count(&["skipped"]),
    ];
    is_last.then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::read_report;

    #[test]
    fn reports_of_surefire_are_read() {
        let report = "----\nTest set: dev.sivka.BatchesTest\n----\n\
             Tests run: 12, Failures: 1, Errors: 2, Skipped: 3, Time elapsed: 0.5 s - in x\n";
        assert_eq!(read_report(report), Some([12, 1, 2, 3]));
        assert_eq!(read_report(""), None);
    }
}
