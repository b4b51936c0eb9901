//! The page: a section for each run, and in it a table for each machine and question.

use super::figures::{Figure, Record, in_order, newest_of_all, ratio, size};
use super::{JAVA, RUNS, Run, summary};
use crate::process::{Failure, project_root};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

pub(super) const PATH: &str = "docs/performance.md";

/// What CPUs are bound by, counted by hand.
const BOUNDS: &str = "evidence/bench/bounds.toml";

const HEAD: &str = "\
# Performance

`cargo xtask report` makes this page from records under [evidence/record](../evidence/record), which \
also give the command, compiler and versions. Every table is one run of one process. All \
contenders took turns, and the run first compared every byte of theirs. A figure is the fastest \
of many short batches; compare within a table, not between machines. \
[evidence/bench/README.md](../evidence/bench/README.md) says in detail what a figure is.

The row *ratio* divides our fastest by the fastest of the others. If our code for a table has changed since its run, the table is marked *older than its kernels*. The row *bound* is the most \
that the CPU could do, from the instructions of [evidence/bench/bounds.toml](../evidence/bench/bounds.toml) at the \
clock of the run.
";

/// Above a section whose figures may no longer hold.
const OLDER: &str = "
*Older than its kernels: our code for these tables has changed since.*
";

const JAVA_HEAD: &str = "
## Java

Nanoseconds to seal and open 1 KiB, with the JDK's AES/GCM and Java's other libraries for \
AES-GCM-SIV. Brackets say how many times as long as ours.
";

/// The page as the records have it.
pub(super) fn text() -> Result<String, Failure> {
    let bounds = Bounds::read()?;
    let mut page = String::from(HEAD);
    page += &summary::text()?;
    for run in &RUNS {
        let records = newest_of_all(run.label)?;
        if !records.is_empty() {
            let _ = write!(page, "\n## {}\n\n{}\n", run.title, run.purpose);
        }
        for (machine, record) in records {
            section(&mut page, run, &machine, &record, &bounds)?;
        }
    }
    let records = newest_of_all(JAVA)?;
    if !records.is_empty() {
        page += JAVA_HEAD;
    }
    for (_, record) in records {
        let _ = write!(page, "\n```text\n{}```\n", record.circumstances()?);
    }
    Ok(page)
}

fn section(
    page: &mut String,
    run: &Run,
    machine: &Path,
    record: &Record,
    bounds: &Bounds,
) -> Result<(), Failure> {
    let cpu = record.says("cpu")?.unwrap_or_default();
    let _ = write!(page, "\n### {cpu}, {}\n", record.date);
    if record.is_older_than(run.sources)? {
        page.push_str(OLDER);
    }
    if let Some(plot) = record.link("svg") {
        let _ = write!(page, "\n![Throughput against message length]({plot})\n");
    }
    let clock = record.says("clock")?;
    let gigahertz = clock.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let figures = record.figures()?;
    let questions: Vec<(&str, &str)> = in_order(
        figures
            .iter()
            .map(|figure| (figure.algorithm.as_str(), figure.operation.as_str())),
    );
    for (algorithm, operation) in questions {
        let of_it: Vec<&Figure> = figures
            .iter()
            .filter(|figure| (&*figure.algorithm, &*figure.operation) == (algorithm, operation))
            .collect();
        let name = machine.file_name().unwrap_or_default().to_string_lossy();
        let bound = bounds.cycles_per_byte(&name, algorithm, operation);
        let bound = bound.zip(gigahertz).map(|(cycles, clock)| clock / cycles);
        page.push_str(&table(algorithm, operation, run.in_ns(), &of_it, bound));
    }
    Ok(())
}

/// One question: contenders down, lengths across.
fn table(
    algorithm: &str,
    operation: &str,
    in_ns: bool,
    figures: &[&Figure],
    bound: Option<f64>,
) -> String {
    let lens: BTreeSet<u64> = figures.iter().map(|figure| figure.len).collect();
    let unit = if in_ns { "ns" } else { "GB/s" };
    let mut text = format!("\n| {algorithm}, {operation}, {unit} |");
    lens.iter()
        .for_each(|len| text += &format!(" {} |", size(*len)));
    text += "\n|---|";
    lens.iter().for_each(|_| text += "--:|");
    text += "\n";
    for contender in in_order(figures.iter().map(|figure| figure.contender.as_str())) {
        let _ = write!(text, "| {contender} |");
        for len in &lens {
            let found = figures
                .iter()
                .find(|figure| figure.contender == contender && figure.len == *len);
            match found {
                Some(figure) if in_ns => text += &format!(" {:.1} |", figure.min_ns),
                Some(figure) => text += &format!(" {:.3} |", *len as f64 / figure.min_ns),
                None => text += " |",
            }
        }
        text += "\n";
    }
    text += "| *ratio* |";
    for len in &lens {
        match ratio(figures, *len) {
            Some(ratio) => text += &format!(" {ratio:.2} |"),
            None => text += " |",
        }
    }
    text += "\n";
    if let Some(bound) = bound.filter(|_| !in_ns) {
        let _ = write!(text, "| *bound* |");
        lens.iter().for_each(|_| text += &format!(" {bound:.2} |"));
        text += "\n";
    }
    text
}

/// The file of bounds.
struct Bounds(toml::Table);

impl Bounds {
    fn read() -> Result<Self, Failure> {
        let failed = |e: &dyn std::fmt::Display| Failure::new(format!("{BOUNDS}: {e}"));
        let text = fs::read_to_string(project_root().join(BOUNDS)).map_err(|e| failed(&e))?;
        text.parse().map(Self).map_err(|e| failed(&e))
    }

    /// For the machine whose folder's name contains the name of a table of the file.
    fn cycles_per_byte(&self, machine: &str, algorithm: &str, operation: &str) -> Option<f64> {
        let cpu = self.0.iter().find(|(cpu, _)| machine.contains(&***cpu))?.1;
        cpu.get(algorithm)?.get(operation)?.as_float()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(contender: &str, is_ours: bool, len: u64, min_ns: f64) -> Figure {
        Figure {
            algorithm: "a".into(),
            operation: "seal".into(),
            len,
            contender: contender.into(),
            is_ours,
            min_ns,
        }
    }

    #[test]
    fn a_table_has_ratios_to_the_best_of_the_others() {
        let figures = [
            figure("ours", true, 1024, 100.0),
            figure("slow", false, 1024, 400.0),
            figure("fast", false, 1024, 50.0),
            figure("fast", false, 2048, 80.0),
        ];
        let figures: Vec<&Figure> = figures.iter().collect();
        let expected = "
| a, seal, GB/s | 1 KiB | 2 KiB |
|---|--:|--:|
| ours | 10.240 | |
| slow | 2.560 | |
| fast | 20.480 | 25.600 |
| *ratio* | 0.50 | |
| *bound* | 30.00 | 30.00 |
";
        assert_eq!(table("a", "seal", false, &figures, Some(30.0)), expected);
    }

    #[test]
    fn bounds_are_found_by_a_part_of_the_machines_name() {
        let bounds = Bounds("[family-9]\na = { seal = 0.5 }\n".parse().unwrap());
        assert_eq!(
            bounds.cycles_per_byte("x-family-9-y", "a", "seal"),
            Some(0.5)
        );
        assert_eq!(bounds.cycles_per_byte("x-family-9-y", "a", "open"), None);
        assert_eq!(bounds.cycles_per_byte("z", "a", "seal"), None);
    }
}
