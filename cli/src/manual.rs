//! Manual pages and shell completions, made from the parser's own definition.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::roff::{Roff, roman};

use crate::args::{Cli, Manual};
use crate::exit::Exit;
use crate::failure::{Failure, note, reason};
use crate::name::{printable, shown};
use crate::output::{Output, print};

/// The completion script for `shell`.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sivka", &mut script);
    match (shell, String::from_utf8(script)) {
        (Shell::Bash, Ok(script)) => files_first(&script).into_bytes(),
        (_, Ok(script)) => script.into_bytes(),
        (_, Err(error)) => error.into_bytes(),
    }
}

/// The script for bash with files, not options, where a command takes a file: bash itself lists
/// them if the script has nothing to offer.
fn files_first(script: &str) -> String {
    let mut takes_files = false;
    let line = |line: &str| {
        if let Some(options) = line.trim_start().strip_prefix("opts=") {
            // Others have commands below them.
            let mut words = options.trim_matches('"').split(' ');
            takes_files = words.all(|word| word.starts_with('-'));
        }
        let (condition, all) =
            ("            if [[ ${cur} == -* ", "            COMPREPLY=( $(compgen");
        match takes_files {
            true if line.starts_with(condition) => format!("{condition}]] ; then\n"),
            true if line.starts_with(all) => "            COMPREPLY=()\n".to_owned(),
            _ => format!("{line}\n"),
        }
    };
    script.lines().map(line).collect()
}

/// Prints a manual page, or installs all of them and the completions.
pub(crate) fn manual(args: &Manual) -> Result<(), Failure> {
    let mut program = Cli::command();
    // Building gives each command its full name, `sivka-seal`.
    program.build();
    if let Some(prefix) = &args.install {
        return install(&program, &prefix.join("share"));
    }
    let described = args.command.iter().try_fold(&program, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            let name = printable(&args.command.join(" "));
            Failure::new(Exit::Usage, format!("no command is called {name}"))
                .hint("`sivka --help` lists what is possible")
        })
    })?;
    print(&page(described)?)
}

/// Writes manual pages and completions to where man(1) and the shells look below `share`, and
/// says what to do where one of them looks elsewhere.
fn install(program: &clap::Command, share: &Path) -> Result<(), Failure> {
    let write = |folder: &str, name: &str, bytes: &[u8]| {
        let folder = share.join(folder);
        fs::create_dir_all(&folder).map_err(|error| Failure::io(&folder, &error))?;
        let path = folder.join(name);
        let mut output = Output::create(&path, None, true)?;
        let written = output.write_all(bytes);
        written.map_err(|error| Failure::io(&path, &error))?;
        output.commit()
    };
    let mut commands = vec![program];
    while let Some(command) = commands.pop() {
        write("man/man1", &format!("{}.1", full_name(command)), &page(command)?)?;
        let no_help = |command: &&clap::Command| command.get_name() != "help";
        commands.extend(command.get_subcommands().filter(no_help));
    }
    for (shell, folder, name) in [
        (Shell::Bash, "bash-completion/completions", "sivka"),
        (Shell::Zsh, "zsh/site-functions", "_sivka"),
        (Shell::Fish, "fish/vendor_completions.d", "sivka.fish"),
    ] {
        write(folder, name, &completions(shell))?;
    }
    let (share, zsh) = (shown(share), shown(&share.join("zsh/site-functions")));
    note(&format!(
        "manual pages and completions are in {share}; zsh finds its own if fpath has {zsh}"
    ));
    Ok(())
}

fn full_name(command: &clap::Command) -> &str {
    let name = command.get_display_name();
    name.unwrap_or_else(|| command.get_name())
}

/// The page in the usual order. The last part of `--help` comes last, line by line.
fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let version = Cli::command().render_version();
    let manual = clap_mangen::Man::new(command.clone()).source(version.trim()).manual("Sivka");
    let mut page = Vec::new();
    let mut render = || -> io::Result<()> {
        manual.render_title(&mut page)?;
        manual.render_name_section(&mut page)?;
        manual.render_synopsis_section(&mut page)?;
        manual.render_description_section(&mut page)?;
        manual.render_options_section(&mut page)?;
        if command.has_subcommands() {
            manual.render_subcommands_section(&mut page)?;
        }
        if let Some(text) = command.get_after_long_help().map(ToString::to_string) {
            let (title, lines) = text.split_once(":\n").unwrap_or(("Notes", &text));
            let mut section = Roff::new();
            section.control("SH", [title.to_uppercase().as_str()]);
            section.control("nf", []);
            lines.lines().for_each(|line| {
                section.text([roman(line)]);
            });
            section.control("fi", []);
            section.to_writer(&mut page)?;
        }
        Ok(())
    };
    render().map_err(|error| Failure::new(Exit::Internal, reason(&error)))?;
    Ok(page)
}
