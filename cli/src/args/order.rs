//! Options that come before the command's name.
//!
//! Every option belongs to a command, and comes after its name. Whoever puts one in
//! front, as other programs have it, means the same: it is moved.

use std::ffi::{OsStr, OsString};

use clap::Command;

/// `sivka help COMMAND` as the `sivka COMMAND --help` that it means.
pub(super) fn help_as_option(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_some_and(|arg| arg == "help") {
        args.remove(1);
        args.push("--help".into());
    }
    args
}

/// `args`, of which the first is the program's name, with the options before the
/// command's name put after it.
pub(super) fn options_after_command(program: &Command, args: Vec<OsString>) -> Vec<OsString> {
    let mut moved = Vec::new();
    let mut rest = args.iter().skip(1);
    let mut seen = 1;
    while let Some(arg) = rest.next() {
        seen += 1;
        if !is_option(arg) || arg == "--" {
            break;
        }
        moved.push(arg.clone());
        if takes_next(program, arg)
            && let Some(value) = rest.next()
        {
            seen += 1;
            moved.push(value.clone());
        }
    }
    // The name that ended the loop, and that of a command of the command.
    let mut command = program;
    let mut names = seen - 1;
    while let Some(found) = args
        .get(names)
        .and_then(|name| command.find_subcommand(name))
    {
        command = found;
        names += 1;
    }
    if moved.is_empty() || names < seen {
        return args;
    }
    let program_name = args[..1].iter().cloned();
    let command_names = args[seen - 1..names].iter().cloned();
    let others = args[names..].iter().cloned();
    program_name
        .chain(command_names)
        .chain(moved)
        .chain(others)
        .collect()
}

fn is_option(arg: &OsStr) -> bool {
    let bytes = arg.as_encoded_bytes();
    bytes.len() > 1 && bytes[0] == b'-'
}

/// Whether the word after `arg` is its value, by any command's definition.
fn takes_next(program: &Command, arg: &OsStr) -> bool {
    let Some(arg) = arg.to_str() else {
        return false;
    };
    let is_meant = |option: &clap::Arg| match arg.strip_prefix("--") {
        Some(long) => option.get_long() == Some(long),
        // Of several short options in one word only the last can want another word.
        None => option.get_short().is_some() && option.get_short() == arg.chars().last(),
    };
    let takes = |option: &clap::Arg| option.get_action().takes_values();
    let mut commands = vec![program];
    while let Some(command) = commands.pop() {
        if command
            .get_arguments()
            .any(|option| is_meant(option) && takes(option))
        {
            return true;
        }
        commands.extend(command.get_subcommands());
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    fn ordered(line: &str) -> String {
        let args = line.split(' ').map(OsString::from).collect();
        let ordered = options_after_command(&Cli::command(), args);
        let words: Vec<_> = ordered.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn options_move_after_the_name() {
        for (given, meant) in [
            ("sivka -q seal f", "sivka seal -q f"),
            ("sivka --key k seal f", "sivka seal --key k f"),
            ("sivka --key seal seal f", "sivka seal --key seal f"),
            ("sivka --key=k -qf open f", "sivka open --key=k -qf f"),
            ("sivka -fo out open f", "sivka open -fo out f"),
            ("sivka -k k slot add f", "sivka slot add -k k f"),
            ("sivka --help", "sivka --help"),
            ("sivka -q", "sivka -q"),
            ("sivka -q shred f", "sivka -q shred f"),
            ("sivka -- seal f", "sivka -- seal f"),
            ("sivka - seal f", "sivka - seal f"),
            ("sivka seal -q f", "sivka seal -q f"),
        ] {
            assert_eq!(ordered(given), meant);
        }
    }
}
