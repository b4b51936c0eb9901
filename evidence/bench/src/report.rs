//! The figures: a table for people, and one line of csv for each.

pub(crate) mod record;

use crate::harness::{Figure, Kind, Row};
use std::fmt::Write as _;
use std::io::{self, Write};

const COLUMNS: &str = "algorithm,operation,len,aad_len,batch,contender,kind,\
    contender_algorithm,min_ns,median_ns";

/// A row with its contenders' figures.
pub(crate) struct Measured {
    /// The row.
    pub(crate) row: Row,
    /// The answers, in the order of the contenders.
    pub(crate) figures: Vec<Figure>,
    /// Which of them ratios refer to.
    pub(crate) reference: usize,
}

impl Measured {
    /// Ratios refer to the first peer, else to the first contender.
    pub(crate) fn new(row: Row, figures: Vec<Figure>) -> Self {
        let peer = figures.iter().position(|figure| figure.kind == Kind::Peer);
        Self { row, figures, reference: peer.unwrap_or_default() }
    }

    /// How many times as fast as the reference, by the fastest batches.
    pub(crate) fn ratio(&self, figure: &Figure) -> f64 {
        self.figures[self.reference].min_ns / figure.min_ns
    }

    /// 10^9 bytes of plaintext a second for `ns` nanoseconds a message; of AAD, where there
    /// is nothing else.
    pub(crate) fn gigabytes(&self, ns: f64) -> f64 {
        let shape = self.row.shape;
        let len = if shape.len == 0 { shape.aad_len } else { shape.len };
        len as f64 / ns
    }

    /// Prints the contenders, one line each.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let shape = self.row.shape;
        let reference = &self.figures[self.reference].name;
        write!(
            out,
            "\n{} {}, {} of {} bytes, {} of AAD",
            self.row.algorithm,
            self.row.operation_name(),
            if shape.batch > 1 { "batch" } else { "call" },
            shape.len,
            shape.aad_len
        )?;
        writeln!(out, " (ratio: times as fast as {reference})")?;
        writeln!(
            out,
            "  {:<24}{:>14}{:>14}{:>10}{:>12}{:>8}",
            "", "min ns", "median ns", "GB/s", "M calls/s", "ratio"
        )?;
        for figure in &self.figures {
            writeln!(
                out,
                "  {:<24}{:>14.1}{:>14.1}{:>10.3}{:>12.3}{:>8.2}",
                figure.name,
                figure.min_ns,
                figure.median_ns,
                self.gigabytes(figure.min_ns),
                1e3 / figure.min_ns,
                self.ratio(figure)
            )?;
        }
        out.flush()
    }
}

/// All figures; the first line names the columns.
pub(crate) fn csv(rows: &[Measured]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for measured in rows {
        let row = &measured.row;
        for figure in &measured.figures {
            let kind = match figure.kind {
                Kind::Ours(_) => "ours",
                Kind::Peer => "peer",
                Kind::Yardstick => "yardstick",
            };
            let written = writeln!(
                text,
                "{},{},{},{},{},{},{kind},{},{:.2},{:.2}",
                row.algorithm,
                row.operation_name(),
                row.shape.len,
                row.shape.aad_len,
                row.shape.batch,
                figure.name,
                figure.algorithm,
                figure.min_ns,
                figure.median_ns,
            );
            written.expect("a String takes any text");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Measured, csv};
    use crate::harness::{Figure, Kind, Operation, Row};
    use crate::messages::Shape;

    #[test]
    fn each_figure_has_a_line() {
        let shape =
            Shape { len: 16, aad_len: 0, nonce_len: 0, tag_len: 0, batch: 1, interface: None };
        let row = Row { algorithm: "a", operation: Operation::Seal, shape };
        let figure = |name: &str, min_ns| Figure {
            name: name.to_owned(),
            algorithm: "a",
            kind: Kind::Peer,
            min_ns,
            median_ns: 5.0,
        };
        let figures = vec![figure("One", 2.0), figure("Other", 4.0)];
        let written = csv(&[Measured::new(row, figures)]);
        let last = "a,seal,16,0,1,Other,peer,a,4.00,5.00\n";
        assert!(written.ends_with(last), "{written}");
        assert!(written.starts_with(COLUMNS));
    }
}
