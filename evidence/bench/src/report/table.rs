//! Tables for people.

use super::Measured;
use std::io::{self, Write};

/// Prints one row's contenders, one line each.
pub(crate) fn print(measured: &Measured, out: &mut impl Write) -> io::Result<()> {
    let shape = measured.row.shape;
    let reference = &measured.figures[measured.reference].name;
    write!(
        out,
        "\n{} {}, {} of {} bytes, {} of AAD",
        measured.row.algorithm,
        measured.row.operation_name(),
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
    for figure in &measured.figures {
        writeln!(
            out,
            "  {:<24}{:>14.1}{:>14.1}{:>10.3}{:>12.3}{:>8.2}",
            figure.name,
            figure.min_ns,
            figure.median_ns,
            measured.gigabytes(figure.min_ns),
            1e3 / figure.min_ns,
            measured.ratio(figure)
        )?;
    }
    out.flush()
}

/// What one summary table has in common.
type Group = (&'static str, String, usize, usize);

fn group(measured: &Measured) -> Group {
    let row = &measured.row;
    (
        row.algorithm,
        row.operation_name(),
        row.shape.aad_len,
        row.shape.batch,
    )
}

/// Prints throughput against size, a line for each contender, for every group of
/// rows that differ in nothing but the length.
pub(crate) fn print_summary(rows: &[Measured], out: &mut impl Write) -> io::Result<()> {
    let mut groups: Vec<Group> = Vec::new();
    for measured in rows {
        if !groups.contains(&group(measured)) {
            groups.push(group(measured));
        }
    }
    for wanted in groups {
        let rows: Vec<&Measured> = rows.iter().filter(|row| group(row) == wanted).collect();
        let (algorithm, operation, aad_len, batch) = wanted;
        let interface = rows[0].row.shape.interface.is_some();
        let calls = if batch > 1 {
            format!("batches of {batch}, million messages a second")
        } else if interface {
            "ns a message".to_owned()
        } else {
            "GB/s".to_owned()
        };
        writeln!(
            out,
            "\n{algorithm} {operation}, {aad_len} bytes of AAD, {calls}"
        )?;
        write!(out, "  {:<24}", "bytes")?;
        for row in &rows {
            write!(out, "{:>9}", row.row.shape.len)?;
        }
        writeln!(out)?;
        for figure in &rows[0].figures {
            write!(out, "  {:<24}", figure.name)?;
            for row in &rows {
                match row.figures.iter().find(|other| other.name == figure.name) {
                    Some(figure) if batch > 1 => write!(out, "{:>9.2}", 1e3 / figure.min_ns)?,
                    Some(figure) if interface => write!(out, "{:>9.1}", figure.min_ns)?,
                    Some(figure) => write!(out, "{:>9.3}", row.gigabytes(figure.min_ns))?,
                    None => write!(out, "{:>9}", "")?,
                }
            }
            writeln!(out)?;
        }
    }
    out.flush()
}
