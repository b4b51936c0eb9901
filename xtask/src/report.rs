//! `cargo xtask report`: measures what `docs/performance.md` shows, and writes the page.
//!
//! The figures are records of `sivka-bench` and of the Java benchmark, under `evidence/record`.
//! The page is made of these alone, of every machine the newest: `--page` writes it again
//! without measuring.

use crate::files::{listed, read_text, write};
use crate::process::{Failure, capture, cargo, exists, program, project_root, succeed};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const PAGE: &str = "docs/performance.md";
const RECORDS: &str = "evidence/record";

/// A run of the bench, as `report.toml` has it.
struct Run {
    label: String,
    title: String,
    arguments: String,
    sources: String,
}

fn runs() -> Vec<Run> {
    let rows: Table = include_str!("../report.toml")
        .parse()
        .expect("a test reads the runs");
    let rows = rows["run"].as_array().into_iter().flatten();
    let run = |row: &Value| {
        let says = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        Run {
            label: says("label"),
            title: says("title"),
            arguments: says("arguments"),
            sources: says("sources"),
        }
    };
    rows.map(run).collect()
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

const JAVA_HEAD: &str = "
## Java

Nanoseconds to seal and open 1 KiB, with the JDK's AES/GCM and Java's other libraries for \
AES-GCM-SIV. Brackets say how many times as long as ours.
";

/// Measures, and writes the page.
pub(crate) fn run() -> Result<(), Failure> {
    let mut build = cargo(&["build", "--release", "-p", "sivka-bench", "--features"]);
    // Else `chacha20` leaves out the fastest that it has.
    build.arg("peers").env("RUSTFLAGS", "--cfg chacha20_avx512");
    succeed(&mut build)?;
    let mut folder = Err(Failure::new("the bench recorded nothing"));
    for run in &runs() {
        println!("\n{}", run.title);
        let mut bench = program("target/release/sivka-bench", &[]);
        bench.args(run.arguments.split_whitespace());
        bench.args(["--record", "--label", &format!("report-{}", run.label)]);
        let output = capture(&mut bench)?;
        println!("{output}");
        let mut lines = output.lines().rev().map(Path::new);
        let machine = lines.find_map(Path::parent).map(PathBuf::from);
        let machine = machine.ok_or_else(|| Failure::new("the bench recorded nothing"))?;
        let record = newest(&machine, &run.label)?;
        let text = format!(
            "{}\nkernels    {}\n",
            record.text.trim_end(),
            digest(&run.sources)?
        );
        write(&record.path, text)?;
        folder = Ok(machine);
    }
    java(&folder?)?;
    write_page()
}

/// The Java benchmark at 1 KiB, the size of the library that Java had.
fn java(folder: &Path) -> Result<(), Failure> {
    let jar = project_root().join("bindings/java/benchmark/target/sivka-benchmark.jar");
    if !jar.exists() || !exists("java") {
        let missing = format!(
            "{} or java is missing: mvn package in bindings/java",
            jar.display()
        );
        return Err(Failure::new(missing));
    }
    let mut java = program("java", &["-jar"]);
    java.arg(&jar)
        .args(["--rounds", "3", "-p", "length=1024", "Messages"]);
    let output = capture(&mut java)?;
    let table = output.find("\ncommand  ").map(|at| &output[at + 1..]);
    let table = table.ok_or_else(|| Failure::new("the Java benchmark printed no table"))?;
    let date = newest(folder, "aes-gcm-siv")?.date;
    write(&folder.join(format!("{date}-report-java.txt")), table)
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
    let date = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        name.strip_suffix(&ending).map(str::to_owned)
    };
    let path = listed(machine)?
        .into_iter()
        .rfind(|path| date(path).is_some());
    let path =
        path.ok_or_else(|| Failure::new(format!("{} has no {ending}", machine.display())))?;
    Ok(Record {
        date: date(&path).unwrap_or_default(),
        text: read_text(&path)?,
        path,
    })
}

/// The newest record with a label of each machine that has one.
fn newest_of_all(label: &str) -> Result<Vec<Record>, Failure> {
    let machines = listed(&project_root().join(RECORDS))?.into_iter();
    let machines = machines.filter(|machine| machine.is_dir());
    Ok(machines
        .filter_map(|machine| newest(&machine, label).ok())
        .collect())
}

fn page() -> Result<String, Failure> {
    let (mut rows, mut columns) = (Rows::default(), BTreeSet::new());
    let mut links = String::new();
    for run in &runs() {
        let _ = write!(links, "\n- {}:", run.title);
        for record in newest_of_all(&run.label)? {
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
    let mut page = String::from(HEAD) + &rows.table(&columns);
    let _ = write!(page, "\n## Every figure\n{links}\n{JAVA_HEAD}");
    for record in newest_of_all("java")? {
        let _ = write!(page, "\n```text\n{}```\n", record.text);
    }
    Ok(page)
}

/// Algorithm and operation in the order of the records, and what the fastest of ours and of the
/// others took for each length, in ns.
#[derive(Default)]
struct Rows {
    questions: Vec<String>,
    cells: BTreeMap<(String, String), Question>,
}

#[derive(Default)]
struct Question {
    best: BTreeMap<u64, [Option<f64>; 2]>,
    is_old: bool,
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
        let cell = self.cells.entry((question, cpu.to_owned())).or_default();
        cell.is_old = is_old;
        let best =
            &mut cell.best.entry(len).or_default()[usize::from(*fields.get("kind")? != "ours")];
        *best = Some(best.map_or(time, |best| best.min(time)));
        Some(())
    }

    /// The shortest length that is not 0, one in the middle, and the longest; by CPU.
    fn table(&self, columns: &BTreeSet<String>) -> String {
        let heads: Vec<&str> = columns.iter().map(String::as_str).collect();
        let mut text = format!(
            "\n| | {} |\n|---|{}\n",
            heads.join(" | "),
            "--:|".repeat(heads.len())
        );
        for question in &self.questions {
            let cell = |cpu: &String| self.cells.get(&(question.clone(), cpu.clone()));
            let lens = columns
                .iter()
                .filter_map(cell)
                .flat_map(|cell| cell.best.keys());
            let lens: BTreeSet<u64> = lens.copied().filter(|len| *len != 0).collect();
            let lens = Vec::from_iter(lens);
            let Some(last) = lens.last() else { continue };
            for len in BTreeSet::from([lens[0], lens[lens.len() / 2], *last]) {
                let _ = write!(text, "| {question}, {} |", size(len));
                for cpu in columns {
                    let ratio = cell(cpu).and_then(|cell| match cell.best.get(&len)? {
                        [Some(ours), Some(others)] if cell.is_old => {
                            Some(format!("*{:.2}*", others / ours))
                        }
                        [Some(ours), Some(others)] => Some(format!("{:.2}", others / ours)),
                        _ => None,
                    });
                    let _ = write!(text, " {} |", ratio.as_deref().unwrap_or("–"));
                }
                text.push('\n');
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
    let mut paths: Vec<PathBuf> = sources
        .split(' ')
        .rev()
        .map(|s| project_root().join(s))
        .collect();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(listed(&path)?.into_iter().rev());
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            code(&read_text(&path)?).for_each(|line| hash.update(format!("{line}\n")));
        }
    }
    Ok(hash.finalize()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
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
                   seal,a,peer,1024,0,fast,50.0\nseal,polyval,ours,0,16,sivka,1.0\n";
        let mut rows = Rows::default();
        rows.add(csv, "new", false).unwrap();
        rows.add(csv, "old", true).unwrap();
        let columns = ["new", "old"].map(str::to_owned).into();
        let wanted = "\n| | new | old |\n|---|--:|--:|\n| a, seal, 1 KiB | 0.50 | *0.50* |\n\
                      | polyval, seal, 16 B | – | – |\n";
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
