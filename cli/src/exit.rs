//! The exit statuses, and the table of them in `--help` and the manual.

use std::fmt::Write as _;

/// The exit status of a run, by whose fault the failure is.
///
/// The numbers are an interface: scripts depend on them, so none changes its
/// meaning and none is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// A defect of this program or of the machine it runs on.
    Internal = 1,
    /// The command line cannot be carried out as it was given.
    Usage = 2,
    /// Reading or writing failed.
    Io = 3,
    /// The target is there already.
    Exists = 4,
    /// No given key opens the file.
    Key = 5,
    /// The input was not made by this program.
    Format = 6,
    /// The file needs a newer version.
    Newer = 7,
    /// The input ends too early.
    Truncated = 8,
    /// The file was changed after it was sealed.
    Damaged = 9,
    /// More memory, work or length is needed than there is or may be.
    Limit = 10,
    /// Entries of a folder, or attributes, are missing, or a file changed while it was sealed.
    LeftOut = 11,
    /// The content says that it is a folder, or compressed, and is neither.
    Malformed = 12,
}

const ALL: [(u8, &str); 14] = [
    (0, "everything was done"),
    (1, "internal error, or this machine failed a self-check"),
    (2, "the command line is wrong"),
    (3, "reading or writing failed"),
    (4, "the target exists, or this run has just made it"),
    (5, "no key or passphrase given opens the file, or the key file is malformed"),
    (6, "the input is no Sivka file and no keyset"),
    (7, "the file needs a newer version of sivka"),
    (8, "the end of the file is missing or damaged"),
    (9, "the file is damaged, and not only at its end"),
    (10, "a limit: of memory, of the work that a passphrase may cost, or of the format"),
    (11, "done, but something was left out, or changed while it was sealed"),
    (12, "the folder or compressed content in the file is malformed"),
    (130, "interrupted (128 + the number of the signal)"),
];

impl Exit {
    /// The table of exit statuses, as `--help` ends with it.
    pub(crate) fn table() -> String {
        let mut table = String::from("Exit status:\n");
        for (status, meaning) in ALL {
            let _ = writeln!(table, "  {status:>3}  {meaning}");
        }
        table
            + "With several files, one that fails does not stop the others. The status is that of the \
                 first failure."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_same_table() {
        let readme = include_str!("../README.md");
        for (status, meaning) in ALL {
            let row = format!("| {status} | {meaning} |");
            assert!(readme.contains(&row), "{row}");
        }
        let table = readme.split("## Exit status").nth(1);
        let rows = table.map(|text| text.lines().filter(|line| line.starts_with("| ")).count());
        assert_eq!(rows, Some(ALL.len() + 1));
    }
}
