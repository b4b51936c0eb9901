//! `cargo xtask report`: measures what `docs/performance.md` shows, and writes the page.
//!
//! The figures are records of `sivka-bench`, under `evidence/record`.
//! The page is made of these alone, of every machine the newest: `--page` writes it again
//! without measuring.

use crate::files::{hex, listed, read_text, write};
use crate::process::{Failure, capture, cargo, program, project_root, succeed};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/performance.md";
const RECORDS: &str = "evidence/record";

/// A run of the bench, as `report.toml` has it.
#[derive(Deserialize)]
struct Run {
    label: String,
    title: String,
    arguments: String,
    sources: String,
}

fn runs() -> Vec<Run> {
    let mut rows: BTreeMap<String, Vec<Run>> =
        toml::from_str(include_str!("../report.toml")).expect("a test reads the runs");
    rows.remove("run").unwrap_or_default()
}

/// Calls are compared there, and no throughput.
const INTERFACES: &str = "interfaces";

const HEAD: &str = "\
# Performance

`cargo xtask report` makes this page from records under [evidence/record](../evidence/record), which \
also give the command, compiler and versions. A record is one run of one process. All contenders \
took turns, and the run first compared every byte of theirs. A figure is the fastest of many short \
batches; compare within a record, not between machines. \
[evidence/bench/README.md](../evidence/bench/README.md) says in detail what a figure is.

## Ratios on each CPU

How many times as long as our fastest the fastest of the others takes. Above 1, Sivka is faster. If \
our code for a row has changed since its run, the figure is *in italics*.
";

/// Measures, and writes the page.
pub(crate) fn run() -> Result<(), Failure> {
    let mut build = cargo(&["build", "--release", "-p", "sivka-bench", "--features"]);
    // Else `chacha20` leaves out the fastest that it has.
    build.arg("peers").env("RUSTFLAGS", "--cfg chacha20_avx512");
    succeed(&mut build)?;
    for run in &runs() {
        println!("\n{}", run.title);
        let mut bench = program("target/release/sivka-bench", &[]);
        bench.args(run.arguments.split_whitespace());
        bench.args(["--record", "--label", &format!("report-{}", run.label)]);
        let output = capture(&mut bench)?;
        println!("{output}");
        // It ends on where its record is.
        let machine = output.lines().rev().map(Path::new).find_map(Path::parent);
        let machine = machine.ok_or_else(|| Failure::new("the bench recorded nothing"))?;
        let Record { path, text, .. } = newest(machine, &run.label)?;
        let kernels = digest(&run.sources)?;
        write(
            &path,
            format!("{}\nkernels    {kernels}\n", text.trim_end()),
        )?;
    }
    write_page()
}

/// Writes the page from the records.
pub(crate) fn write_page() -> Result<(), Failure> {
    write(&project_root().join(PAGE), page()?)?;
    println!("written: {PAGE}");
    Ok(())
}

/// Whether the page is what the records say.
pub(crate) fn check() -> Result<(), Failure> {
    if read_text(&project_root().join(PAGE))? == page()? {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{PAGE} is not what the records say: cargo xtask report --page"
    )))
}

/// The text beside the figures of a record, and where it is.
struct Record {
    date: String,
    path: PathBuf,
    text: String,
}

impl Record {
    /// What a line of the text says, such as `cpu`.
    fn says(&self, word: &str) -> String {
        let line = self.text.lines().find_map(|line| line.strip_prefix(word));
        line.unwrap_or_default().trim().to_owned()
    }
}

/// The newest record of a machine with this label.
fn newest(machine: &Path, label: &str) -> Result<Record, Failure> {
    let ending = format!("-report-{label}.txt");
    let dated = listed(machine)?.into_iter().rev().find_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name.strip_suffix(&ending)?.to_owned(), path))
    });
    let none = || Failure::new(format!("{} has no {ending}", machine.display()));
    let (date, path) = dated.ok_or_else(none)?;
    Ok(Record {
        date,
        text: read_text(&path)?,
        path,
    })
}

fn page() -> Result<String, Failure> {
    let (mut rows, mut columns) = (Rows::default(), BTreeSet::new());
    let mut links = String::new();
    let mut machines = listed(&project_root().join(RECORDS))?;
    machines.retain(|machine| machine.is_dir());
    for run in &runs() {
        let _ = write!(links, "\n- {}:", run.title);
        for record in machines
            .iter()
            .filter_map(|machine| newest(machine, &run.label).ok())
        {
            let (cpu, csv) = (record.says("cpu"), record.path.with_extension("csv"));
            let link = csv.strip_prefix(project_root()).unwrap_or(&csv).display();
            let _ = write!(links, " [{cpu}, {}](../{link})", record.date);
            if run.label != INTERFACES {
                let is_old = record.says("kernels") != digest(&run.sources)?;
                rows.add(&read_text(&csv)?, &cpu, is_old)?;
                columns.insert(cpu);
            }
        }
    }
    Ok(format!(
        "{HEAD}{}\n## Every figure\n{links}\n",
        rows.table(&columns)
    ))
}

/// What the fastest of ours and of the others took, in ns; and whether our code has changed since.
type Cell = ([Option<f64>; 2], bool);

#[derive(Default)]
struct Rows {
    /// Algorithm and operation, in the order of the records.
    questions: Vec<String>,
    /// By these, a CPU and a length.
    cells: BTreeMap<(String, String, u64), Cell>,
}

impl Rows {
    /// Adds the figures of a record, by the names of their columns.
    fn add(&mut self, csv: &str, cpu: &str, is_old: bool) -> Result<(), Failure> {
        let mut lines = csv.lines();
        let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        for line in lines {
            let fields = columns.iter().copied().zip(line.split(',')).collect();
            let added = self.add_figure(&fields, cpu, is_old);
            added.ok_or_else(|| Failure::new(format!("not understood: {line}")))?;
        }
        Ok(())
    }

    fn add_figure(&mut self, fields: &BTreeMap<&str, &str>, cpu: &str, is_old: bool) -> Option<()> {
        let algorithm = fields.get("algorithm")?;
        // POLYVAL hashes an AAD.
        let len = if *algorithm == "polyval" {
            "aad_len"
        } else {
            "len"
        };
        let len = fields.get(len)?.parse().ok()?;
        let time: f64 = fields.get("min_ns")?.parse().ok()?;
        let question = format!("{algorithm}, {}", fields.get("operation")?);
        if !self.questions.contains(&question) {
            self.questions.push(question.clone());
        }
        let (best, cell_is_old) = self
            .cells
            .entry((question, cpu.to_owned(), len))
            .or_default();
        *cell_is_old = is_old;
        let best = &mut best[usize::from(*fields.get("kind")? != "ours")];
        *best = Some(best.map_or(time, |best| best.min(time)));
        Some(())
    }

    /// The shortest length that is not 0, one in the middle, and the longest; by CPU.
    fn table(&self, columns: &BTreeSet<String>) -> String {
        let heads: Vec<&str> = columns.iter().map(String::as_str).collect();
        let under = "--:|".repeat(heads.len());
        let mut text = format!("\n| | {} |\n|---|{under}\n", heads.join(" | "));
        for question in &self.questions {
            let lens = self
                .cells
                .keys()
                .filter(|(of, _, len)| of == question && *len != 0);
            let lens = Vec::from_iter(lens.map(|(.., len)| *len).collect::<BTreeSet<_>>());
            let Some(last) = lens.last() else { continue };
            for len in BTreeSet::from([lens[0], lens[lens.len() / 2], *last]) {
                let ratio = |cpu: &String| {
                    let (best, is_old) = self.cells.get(&(question.clone(), cpu.clone(), len))?;
                    let mark = if *is_old { "*" } else { "" };
                    Some(format!("{mark}{:.2}{mark}", best[1]? / best[0]?))
                };
                let ratios: Vec<_> = columns.iter().map(ratio).collect();
                if ratios.iter().any(Option::is_some) {
                    let _ = write!(text, "| {question}, {} |", size(len));
                    for ratio in ratios {
                        let _ = write!(text, " {} |", ratio.as_deref().unwrap_or("–"));
                    }
                    text.push('\n');
                }
            }
        }
        text
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
    }
}

/// The digest of the code in these files and folders, by which a record is known to be older: most
/// commits change no kernel. Comments, layout and unit tests decide no figure.
fn digest(sources: &str) -> Result<String, Failure> {
    let mut hash = Sha256::new();
    let paths = sources
        .split(' ')
        .rev()
        .map(|path| project_root().join(path));
    let mut paths: Vec<PathBuf> = paths.collect();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(listed(&path)?.into_iter().rev());
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            code(&read_text(&path)?).for_each(|line| hash.update(format!("{line}\n")));
        }
    }
    Ok(hex(&hash.finalize()[..8]))
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_of_the_best_of_the_others() {
        let csv = "operation,algorithm,kind,len,aad_len,contender,min_ns\n\
                   seal,a,ours,1024,0,sivka,100.0\nseal,a,peer,1024,0,slow,400.0\n\
                   seal,a,peer,1024,0,fast,50.0\nseal,b,ours,16,0,sivka,1.0\n";
        let mut rows = Rows::default();
        rows.add(csv, "new", false).unwrap();
        rows.add(csv, "old", true).unwrap();
        let columns = ["new", "old"].map(str::to_owned).into();
        let wanted = "\n| | new | old |\n|---|--:|--:|\n| a, seal, 1 KiB | 0.50 | *0.50* |\n";
        assert_eq!(rows.table(&columns), wanted);
        assert!(rows.add("algorithm,len\nx,16\n", "new", false).is_err());
        assert_eq!(size(35_756_441), "34.1 MiB");
    }

    #[test]
    fn prose_and_layout_do_not_age_a_record() {
        let before = "/// Adds.\nfn add() {\n    1\n}\n";
        assert!(code(before).eq(code("/// Adds one.\n\nfn add() {\n  1\n}\n// The end.\n")));
        assert!(!code(before).eq(code("fn add() {\n    2\n}\n")));
        for run in &runs() {
            let mut sources = run.sources.split(' ');
            assert!(sources.all(|path| project_root().join(path).exists()));
        }
    }
}
