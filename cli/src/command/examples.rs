//! Examples of commands, for their manual pages.

use std::io;

use clap_mangen::roff::{Roff, bold, roman};

/// The name of a command, and for each example what it does and its line.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

const EXAMPLES: [Examples; 9] = [
    (
        "sivka",
        &[
            (
                "Seal a file with the default key, beside it:",
                "sivka seal report.pdf",
            ),
            ("Bring it back:", "sivka open report.pdf.sivka"),
        ],
    ),
    (
        "sivka-keygen",
        &[
            ("Make a key file:", "sivka keygen -o backup.key"),
            (
                "Make one that asks for a passphrase:",
                "sivka keygen --protect -o backup.key",
            ),
            (
                "Make a key that others seal for:",
                "sivka keygen --recipient -o me.key",
            ),
            (
                "Make a passphrase of ten words:",
                "sivka keygen --passphrase --words 10",
            ),
        ],
    ),
    (
        "sivka-seal",
        &[
            (
                "Seal a folder, but for its cache:",
                "sivka seal --exclude /cache photos",
            ),
            (
                "Seal for everybody in a list, and for yourself:",
                "sivka seal -R team.txt -k me.key report.pdf",
            ),
            (
                "Seal what a program writes:",
                "sivka seal -k backup.key -o dump.sivka -",
            ),
        ],
    ),
    (
        "sivka-open",
        &[
            (
                "List what is in a sealed folder:",
                "sivka open --list photos.sivka",
            ),
            (
                "Unpack a part of it:",
                "sivka open --only 2024/summer photos.sivka -o summer",
            ),
            (
                "Give a part of a file:",
                "sivka open --range 1048576..2097152 disk.sivka -o -",
            ),
        ],
    ),
    (
        "sivka-verify",
        &[(
            "Check every file of a backup:",
            "sivka verify --quiet a.sivka b.sivka",
        )],
    ),
    (
        "sivka-inspect",
        &[(
            "See which keys open a file:",
            "sivka inspect report.pdf.sivka",
        )],
    ),
    (
        "sivka-salvage",
        &[(
            "Recover what is intact:",
            "sivka salvage damaged.sivka -o recovered",
        )],
    ),
    (
        "sivka-slot-add",
        &[(
            "Let a passphrase open the file too:",
            "sivka slot add -k me.key report.pdf.sivka --new-passphrase",
        )],
    ),
    (
        "sivka-slot-remove",
        &[(
            "Take away the slot of a lost key:",
            "sivka slot remove -k me.key report.pdf.sivka --id 2eced6e116ddd512",
        )],
    ),
];

/// Writes the examples of a command, if there are any.
pub(super) fn render(command: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let Some((_, examples)) = EXAMPLES.iter().find(|(name, _)| *name == command) else {
        return Ok(());
    };
    let mut section = Roff::new();
    section.control("SH", ["EXAMPLES"]);
    for (what, line) in *examples {
        section.control("TP", []);
        section.text([roman(*what)]);
        section.text([bold(*line)]);
    }
    section.to_writer(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn examples_are_command_lines_of_their_commands() {
        for (name, examples) in EXAMPLES {
            let words = name.replace('-', " ");
            for (_, line) in examples {
                assert!(line.starts_with(&words), "{line}");
                assert!(Cli::try_parse_from(line.split(' ')).is_ok(), "{line}");
            }
            let mut program = Cli::command();
            program.build();
            let mut names = words.split(' ').skip(1);
            let found = names.try_fold(&program, |command, name| command.find_subcommand(name));
            assert!(found.is_some(), "{name}");
        }
    }
}
