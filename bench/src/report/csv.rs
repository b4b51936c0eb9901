//! Every figure of a run, one line each.

use super::Measured;
use crate::harness::Kind;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// Writes all figures to the file at `path`.
pub(crate) fn write(rows: &[Measured], path: &Path) -> io::Result<()> {
    fs::write(path, text(rows))
}

/// The file's text; the first line names the columns.
pub(crate) fn text(rows: &[Measured]) -> String {
    let mut text = String::from(
        "algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,\
         min_ns,median_ns,gb_per_s,reference,ratio\n",
    );
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
                "{},{},{},{},{},{},{kind},{},{:.2},{:.2},{:.4},{},{:.4}",
                row.algorithm,
                row.operation_name(),
                row.shape.len,
                row.shape.aad_len,
                row.shape.batch,
                figure.name,
                figure.algorithm,
                figure.min_ns,
                figure.median_ns,
                measured.gigabytes(figure.min_ns),
                measured.figures[measured.reference].name,
                measured.ratio(figure),
            );
            written.expect("a String takes any text");
        }
    }
    text
}
