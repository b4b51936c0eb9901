//! The exit statuses, and the table of them in `--help` and the manual.

use std::fmt::Write as _;

use clap_mangen::roff::{Roff, bold, roman};

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
    /// No key that was given fits.
    Key = 5,
    /// The input was not made by this program.
    Format = 6,
    /// The input asks for what this version does not know.
    Newer = 7,
    /// The input ends too early.
    Truncated = 8,
    /// The input is not what was sealed.
    Damaged = 9,
    /// More memory, work or length is needed than there is or may be.
    Limit = 10,
    /// A folder without some of its entries, or a file without its end.
    LeftOut = 11,
    /// The input says that it is a folder, or compressed, and nothing can be made of it.
    #[cfg_attr(not(unix), allow(dead_code))]
    Malformed = 12,
}

impl Exit {
    const SEVERAL: &'static str = "With several files, one that fails does not keep the others, and the status is that of \
         the first failure.";

    const ALL: [(u8, &'static str); 14] = [
        (0, "everything was done"),
        (1, "internal error, or this machine failed a self-check"),
        (2, "the command line is wrong"),
        (
            3,
            "reading or writing failed: no such file, a directory, no permission, a name too long, full disk, closed pipe",
        ),
        (
            4,
            "the target exists and --force was not given, or is a folder, or this run has just made it",
        ),
        (
            5,
            "no key or passphrase given opens the file, or the key file is not one",
        ),
        (6, "the input is empty, or is no Sivka file and no keyset"),
        (
            7,
            "the file needs a newer version: unknown version, suite, kind of slot or type of key",
        ),
        (8, "the file is truncated: its end is missing"),
        (
            9,
            "the file is damaged: changed, reordered, extended, or cut inside a chunk",
        ),
        (
            10,
            "a limit: of memory or threads, of the work that a passphrase may cost, of what compressed content may become, or of the format",
        ),
        (
            11,
            "a folder was sealed or opened without some of its entries, or sealed without attributes that could not be read, each of which is named; or a file ended before its length when it was sealed",
        ),
        (
            12,
            "a sealed folder or compressed content is malformed, or would lead outside: nothing was unpacked",
        ),
        (130, "interrupted (128 + the number of the signal)"),
    ];

    /// The table of exit statuses, as `--help` ends with it.
    pub(crate) fn table() -> String {
        let mut table = String::from("Exit status:\n");
        for (status, meaning) in Self::ALL {
            let _ = writeln!(table, "  {status:>3}  {meaning}");
        }
        table + Self::SEVERAL
    }

    /// The same for the manual page.
    pub(crate) fn roff() -> Roff {
        let mut page = Roff::new();
        page.control("SH", ["EXIT STATUS"]);
        for (status, meaning) in Self::ALL {
            page.control("TP", []);
            page.text([bold(status.to_string())]);
            page.text([roman(meaning)]);
        }
        page.control("PP", []);
        page.text([roman(Self::SEVERAL)]);
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_and_manual_have_every_status() {
        let (help, manual) = (Exit::table(), Exit::roff().render());
        for (status, meaning) in Exit::ALL {
            assert!(help.contains(&format!("\n  {status:>3}  {meaning}\n")));
            assert!(manual.contains(&format!("\n.TP\n\\fB{status}\\fR\n")));
        }
        assert!(help.ends_with(Exit::SEVERAL) && manual.contains(".PP"));
    }

    #[test]
    fn the_readme_has_the_same_table() {
        let readme = include_str!("../README.md");
        for (status, meaning) in Exit::ALL {
            let row = format!("| {status} | {meaning} |");
            assert!(readme.contains(&row), "{row}");
        }
        let table = readme.split("## Exit status").nth(1);
        let rows = table.map(|text| text.lines().filter(|line| line.starts_with("| ")).count());
        assert_eq!(rows, Some(Exit::ALL.len() + 1));
    }
}
