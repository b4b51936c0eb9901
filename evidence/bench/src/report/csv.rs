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

const COLUMNS: &str = "algorithm,operation,len,aad_len,batch,contender,kind,\
    contender_algorithm,min_ns,median_ns,gb_per_s,reference,ratio";

/// One line as another run of the bench has it too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// What was measured, and on which of our tiers.
    pub(crate) row: String,
    pub(crate) min_ns: f64,
}

/// The lines of the figures at `path`, which may be of another commit.
pub(crate) fn lines(path: &Path) -> io::Result<Vec<Line>> {
    let text = fs::read_to_string(path)?;
    let (columns, lines) = text.split_once('\n').unwrap_or_default();
    if columns != COLUMNS {
        return Err(io::Error::other("the columns are others"));
    }
    let read = |line: &str| {
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
    };
    let understood =
        |line: &str| read(line).ok_or_else(|| io::Error::other(format!("not understood: {line}")));
    lines.lines().map(understood).collect()
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
    use super::{COLUMNS, Measured, lines, text};
    use crate::harness::{Figure, Kind, Operation, Row};
    use crate::messages::Shape;
    use std::fs;

    #[test]
    fn what_is_written_is_read() {
        let shape = Shape {
            len: 16,
            aad_len: 0,
            nonce_len: 0,
            tag_len: 0,
            batch: 1,
            interface: None,
        };
        let row = Row {
            algorithm: "a",
            operation: Operation::Seal,
            shape,
        };
        let figure = |name: &str, min_ns| Figure {
            name: name.to_owned(),
            algorithm: "a",
            kind: Kind::Peer,
            min_ns,
            median_ns: 5.0,
        };
        let figures = vec![figure("One", 2.0), figure("Other", 4.0)];
        let written = text(&[Measured::new(row, figures, None)]);
        let last = "a,seal,16,0,1,Other,peer,a,4.00,5.00,4.0000,One,0.5000\n";
        assert!(written.ends_with(last), "{written}");
        let path = std::env::temp_dir().join(format!("sivka-figures-{}", std::process::id()));
        fs::write(&path, &written).expect("a folder for files");
        let read = lines(&path).expect("figures");
        fs::write(&path, "other,columns\n").expect("the same file");
        assert!(lines(&path).is_err());
        fs::remove_file(&path).expect("the same file");
        assert_eq!(read[0].row, "a seal, 16 bytes, 0 of AAD: One");
        assert_eq!((read.len(), read[1].min_ns), (2, 4.0));
        assert!(written.starts_with(COLUMNS));
    }
}
