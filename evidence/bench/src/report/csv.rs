//! Every figure of a run, one line each.

use super::Measured;
use crate::harness::{Figure, Kind, Operation, Row};
use crate::messages::Shape;
use sivka::Tier;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// Writes all figures to the file at `path`.
pub(crate) fn write(rows: &[Measured], path: &Path) -> io::Result<()> {
    fs::write(path, text(rows))
}

const COLUMNS: &str = "algorithm,operation,len,aad_len,batch,contender,kind,\
    contender_algorithm,min_ns,median_ns,gb_per_s,reference,ratio";

/// Reads the figures at `path`, which may be those of another language's bench.
pub(crate) fn read(path: &Path) -> io::Result<Vec<Measured>> {
    let mut rows: Vec<(Row, Vec<Figure>)> = Vec::new();
    for (row, figure) in read_by(path, figure)? {
        match rows.last_mut().filter(|(last, _)| *last == row) {
            Some((_, figures)) => figures.push(figure),
            None => rows.push((row, vec![figure])),
        }
    }
    let measured = rows.into_iter();
    Ok(measured
        .map(|(row, figures)| Measured::new(row, figures, None))
        .collect())
}

/// One line as another run of the bench has it too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// What was measured, and on which of our tiers.
    pub(crate) row: String,
    pub(crate) min_ns: f64,
}

/// The lines of the figures at `path`, which may be of another commit.
pub(crate) fn lines(path: &Path) -> io::Result<Vec<Line>> {
    read_by(path, |line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [
            algorithm,
            operation,
            len,
            aad_len,
            batch,
            name,
            _,
            _,
            min_ns,
            ..,
        ] = fields[..]
        else {
            return None;
        };
        let of = if batch == "1" { "" } else { ", in a batch" };
        Some(Line {
            row: format!("{algorithm} {operation}, {len} bytes, {aad_len} of AAD{of}: {name}"),
            min_ns: min_ns.parse().ok()?,
        })
    })
}

fn read_by<T>(path: &Path, read: impl Fn(&str) -> Option<T>) -> io::Result<Vec<T>> {
    let text = fs::read_to_string(path)?;
    let (columns, lines) = text.split_once('\n').unwrap_or_default();
    if columns != COLUMNS {
        return Err(io::Error::other("the columns are others"));
    }
    let understood =
        |line: &str| read(line).ok_or_else(|| io::Error::other(format!("not understood: {line}")));
    lines.lines().map(understood).collect()
}

/// One line. Names live as long as the program, which plots them and ends.
fn figure(line: &str) -> Option<(Row, Figure)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [
        algorithm,
        operation_name,
        len,
        aad_len,
        batch,
        name,
        kind,
        of,
        min_ns,
        median_ns,
        ..,
    ] = fields[..]
    else {
        return None;
    };
    let operations = [
        Operation::Seal,
        Operation::Open,
        Operation::Encrypt,
        Operation::Decrypt,
    ];
    let row = Row {
        algorithm: algorithm.to_owned().leak(),
        operation: operations
            .into_iter()
            .find(|one| one.to_string() == operation_name)?,
        shape: Shape {
            len: len.parse().ok()?,
            aad_len: aad_len.parse().ok()?,
            nonce_len: 0,
            tag_len: 0,
            batch: batch.parse().ok()?,
            interface: None,
        },
    };
    let figure = Figure {
        name: name.to_owned(),
        algorithm: of.to_owned().leak(),
        kind: match kind {
            "ours" => Kind::Ours(Tier::available().next()?),
            "peer" => Kind::Peer,
            "yardstick" => Kind::Yardstick,
            _ => return None,
        },
        min_ns: min_ns.parse().ok()?,
        median_ns: median_ns.parse().ok()?,
    };
    Some((row, figure))
}

/// The file's text; the first line names the columns.
pub(crate) fn text(rows: &[Measured]) -> String {
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

#[cfg(test)]
mod tests {
    use super::{COLUMNS, read, text};
    use std::fs;

    #[test]
    fn what_is_written_is_read() {
        let lines = "a,seal,16,0,1,sivka,ours,a,2.00,3.00,8.0000,Peer,2.0000\n\
                     a,seal,16,0,1,Peer,peer,a,4.00,5.00,4.0000,Peer,1.0000\n\
                     a,open,64,0,1,Other,yardstick,b,8.00,9.00,8.0000,Other,1.0000\n";
        let path = std::env::temp_dir().join(format!("sivka-figures-{}", std::process::id()));
        fs::write(&path, format!("{COLUMNS}\n{lines}")).expect("a folder for files");
        let rows = read(&path).expect("figures");
        let named = super::lines(&path).expect("figures");
        fs::write(&path, "other,columns\n").expect("the same file");
        assert!(read(&path).is_err());
        fs::remove_file(&path).expect("the same file");
        assert_eq!(rows.len(), 2);
        assert_eq!(named[0].row, "a seal, 16 bytes, 0 of AAD: sivka");
        assert_eq!((named.len(), named[2].min_ns), (3, 8.0));
        assert_eq!(text(&rows), format!("{COLUMNS}\n{lines}"));
    }
}
