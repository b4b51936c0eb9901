//! Sivka beside its peers, tier by tier, in one process.
//!
//! `README.md` in this folder says how to run it and how to add to it.

#![deny(unsafe_code)]

mod aead;
mod algorithm;
mod algorithms;
mod block_cipher;
mod clock;
mod harness;
mod messages;
mod ours;
mod peer;
mod report;

use algorithm::Algorithm;
use clap::Parser;
use clock::Clock;
use harness::{Contender, Effort, Kind, Row};
use report::Measured;
use report::record::Origin;
use std::{fs, io, path::PathBuf};

/// Measures Sivka and its peers side by side.
#[derive(Parser)]
#[command(name = "sivka-bench")]
struct Options {
    /// Algorithms whose name contains one of these words; all by default.
    algorithms: Vec<String>,
    /// Operations by name, such as seal or open, or seal-apart among interfaces.
    #[arg(long, value_delimiter = ',')]
    operations: Option<Vec<String>>,
    /// Message lengths in bytes; single calls take lengths off the list as well.
    #[arg(long, value_delimiter = ',')]
    sizes: Option<Vec<usize>>,
    /// Messages of a batch: by default a million, or of long ones as many as a second-level cache
    /// holds.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    messages: Option<u32>,
    /// AAD lengths in bytes, of those on the list.
    #[arg(long, value_delimiter = ',')]
    aad: Option<Vec<usize>>,
    /// Our tiers by name, or `none`.
    #[arg(long, value_delimiter = ',')]
    tiers: Option<Vec<String>>,
    /// Peers and yardsticks whose name contains one of these words, in any case, or `none`.
    #[arg(long, value_delimiter = ',')]
    peers: Option<Vec<String>>,
    /// Single calls, batches of many messages, both, or the interfaces of short messages.
    #[arg(long, value_enum, default_value_t = Calls::Both)]
    calls: Calls,
    /// Fewer batches: a look while working, not for a record.
    #[arg(long)]
    quick: bool,
    /// Counts the CPU time of the measuring thread where it is long enough to
    /// tell, instead of the time that passes: for machines with other work to do.
    #[cfg(unix)]
    #[arg(long)]
    cpu_time: bool,
    /// Writes every figure as CSV.
    #[arg(long, value_name = "PATH")]
    csv: Option<PathBuf>,
    /// Writes record/CPU/DATE.csv and .txt; without a name, the folder gets the CPU's own.
    #[arg(long, value_name = "CPU", num_args = 0..=1, default_missing_value = "")]
    record: Option<String>,
    /// Appended to the date in a record's file names.
    #[arg(long, requires = "record")]
    label: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Calls {
    Single,
    Batch,
    Both,
    /// Rust beside C, in place, apart and chained, from 0 to 4096 bytes.
    Interfaces,
}

/// No list wants everything; otherwise one entry must match.
fn wanted<T>(list: Option<&[T]>, matches: impl Fn(&T) -> bool) -> bool {
    list.is_none_or(|list| list.iter().any(matches))
}

impl Options {
    /// The rows asked for.
    fn rows(&self) -> Vec<(&'static Algorithm, Row)> {
        let words = (!self.algorithms.is_empty()).then_some(&self.algorithms[..]);
        algorithms::ALL
            .iter()
            .filter(|algorithm| wanted(words, |word| algorithm.name.contains(word.as_str())))
            .flat_map(|algorithm| {
                let rows = algorithm.rows(self.sizes.as_deref(), self.messages);
                rows.into_iter().map(move |row| (algorithm, row))
            })
            .filter(|(_, row)| self.wants_row(row))
            .collect()
    }

    fn clock(&self) -> Clock {
        #[cfg(unix)]
        if self.cpu_time {
            return Clock::Cpu;
        }
        Clock::Wall
    }

    fn wants_row(&self, row: &Row) -> bool {
        let names = [row.operation.to_string(), row.operation_name()];
        let calls = match (self.calls, row.shape.interface) {
            (Calls::Interfaces, interface) => interface.is_some(),
            (_, Some(_)) => false,
            (Calls::Single, None) => row.shape.batch == 1,
            (Calls::Batch, None) => row.shape.batch > 1,
            (Calls::Both, None) => true,
        };
        calls
            && wanted(self.operations.as_deref(), |name| names.contains(name))
            && wanted(self.aad.as_deref(), |&len| len == row.shape.aad_len)
    }

    fn wants_contender(&self, contender: &Contender) -> bool {
        match contender.kind {
            Kind::Ours(tier) => wanted(self.tiers.as_deref(), |name| name == tier.name()),
            Kind::Peer | Kind::Yardstick => wanted(self.peers.as_deref(), |word| {
                let name = contender.name.to_lowercase();
                name.contains(&word.to_lowercase())
            }),
        }
    }
}

#[test]
fn the_commands_of_the_page_measure_something() {
    let lines = include_str!("../README.md").lines();
    for line in lines.filter(|line| line.starts_with("$ cargo run ")) {
        let words = line.split(" -- ").nth(1).expect(line);
        let words = words.split('#').next().unwrap_or_default();
        let options = Options::try_parse_from(format!("bench {words}").split_whitespace());
        assert!(!options.expect(line).rows().is_empty(), "{line}");
    }
}

fn main() -> io::Result<()> {
    let options = Options::parse();
    let origin = Origin::here();
    let effort = [Effort::FULL, Effort::QUICK][usize::from(options.quick)];
    let mut measured = Vec::new();
    for (algorithm, row) in options.rows() {
        let mut contenders = (algorithm.contenders)(algorithm, row.shape);
        contenders.retain(|contender| options.wants_contender(contender));
        if contenders.is_empty() {
            continue;
        }
        let figures = harness::measure(&row, &mut contenders, effort, options.clock());
        let row = Measured::new(row, figures);
        row.print(&mut io::stdout().lock())?;
        measured.push(row);
    }
    if measured.is_empty() {
        return Err(io::Error::other("no row and contender match the filters"));
    }
    if let Some(path) = &options.csv {
        fs::write(path, report::csv(&measured))?;
    }
    if let Some(folder) = &options.record {
        println!("\nrecorded:");
        for path in origin.record(&measured, folder, options.label.as_deref())? {
            println!("{}", path.display());
        }
    }
    Ok(())
}
