//! The table at the top of the page: a column for each CPU.

use super::figures::{Figure, in_order, newest_of_all, ratio, size};
use super::{RUNS, Run};
use crate::process::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const HEAD: &str = "
## Ratios on each CPU

How many times as long as our fastest the fastest of the others takes. A *figure in italics* is \
older than its kernels.
";

/// Algorithm, operation and length in bytes: a row.
type Question = (String, String, u64);

/// What was found on one CPU.
#[derive(Default)]
struct Column {
    cells: BTreeMap<Question, String>,
}

/// The table, of every run that compares throughput.
pub(super) fn text() -> Result<String, Failure> {
    let mut columns: BTreeMap<String, Column> = BTreeMap::new();
    let mut rows: Vec<Question> = Vec::new();
    for run in RUNS.iter().filter(|run| !run.in_ns()) {
        for (cpu, question, cell) in cells(run)? {
            columns
                .entry(cpu)
                .or_default()
                .cells
                .insert(question.clone(), cell);
            rows.push(question);
        }
    }
    Ok(table(&in_order(rows.iter()), &columns))
}

/// The cells that a run has for each CPU.
fn cells(run: &Run) -> Result<Vec<(String, Question, String)>, Failure> {
    let mut found = Vec::new();
    for (_, record) in newest_of_all(run.label)? {
        let cpu = record.says("cpu")?.unwrap_or_default();
        let is_older = record.is_older_than(run.sources)?;
        let figures = record.figures()?;
        let asked = |figure: &Figure| (figure.algorithm.clone(), figure.operation.clone());
        let questions: Vec<(String, String)> = figures.iter().map(asked).collect();
        for question in in_order(questions.iter()) {
            let of_it: Vec<&Figure> = figures.iter().filter(|f| asked(f) == *question).collect();
            for len in chosen(&of_it) {
                let Some(ratio) = ratio(&of_it, len) else {
                    continue;
                };
                let cell = if is_older {
                    format!("*{ratio:.2}*")
                } else {
                    format!("{ratio:.2}")
                };
                found.push((
                    cpu.clone(),
                    (question.0.clone(), question.1.clone(), len),
                    cell,
                ));
            }
        }
    }
    Ok(found)
}

/// The shortest length that is not 0, one in the middle, and the longest.
fn chosen(figures: &[&Figure]) -> BTreeSet<u64> {
    let lens: BTreeSet<u64> = figures
        .iter()
        .map(|f| f.len)
        .filter(|len| *len != 0)
        .collect();
    let lens = Vec::from_iter(lens);
    let at = |index: usize| lens.get(index).copied();
    [at(0), at(lens.len() / 2), lens.last().copied()]
        .into_iter()
        .flatten()
        .collect()
}

fn table(rows: &[&Question], columns: &BTreeMap<String, Column>) -> String {
    let mut text = format!("{HEAD}\n| |");
    columns.keys().for_each(|cpu| text += &format!(" {cpu} |"));
    text += "\n|---|";
    columns.keys().for_each(|_| text += "--:|");
    text += "\n";
    for row in rows {
        let _ = write!(text, "| {}, {}, {} |", row.0, row.1, size(row.2));
        for column in columns.values() {
            let cell = column.cells.get(*row).map_or("–", |cell| cell.as_str());
            let _ = write!(text, " {cell} |");
        }
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_that_was_not_asked_has_a_dash() {
        let question = |len| ("a".to_owned(), "seal".to_owned(), len);
        let column = |len, cell: &str| Column {
            cells: BTreeMap::from([(question(len), cell.to_owned())]),
        };
        let columns = BTreeMap::from([
            ("new".to_owned(), column(16, "1.50")),
            ("old".to_owned(), column(1024, "*1.25*")),
        ]);
        let expected = format!(
            "{HEAD}\n| | new | old |\n|---|--:|--:|\n\
             | a, seal, 16 B | 1.50 | – |\n| a, seal, 1 KiB | – | *1.25* |\n"
        );
        assert_eq!(table(&[&question(16), &question(1024)], &columns), expected);
    }
}
