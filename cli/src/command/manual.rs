//! Manual pages and shell completions, made from the parser's own definition.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use super::examples;
use crate::args::{Cli, Manual};
use crate::exit::Exit;
use crate::failure::{Failure, note, reason};
use crate::name::{printable, shown};
use crate::output::{Output, print};

/// The completion script for `shell`.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sivka", &mut script);
    script
}

/// Prints a manual page, or writes all of them.
pub(crate) fn manual(args: &Manual) -> Result<(), Failure> {
    match (&args.install, &args.all) {
        (Some(prefix), _) => install(&prefix.join("share")),
        (None, Some(folder)) => all_pages(folder),
        (None, None) => print(&one_page(&args.command)?),
    }
}

/// Writes manual pages and completions to where man(1) and the shells look below `share`,
/// and says what to do where one of them looks elsewhere.
fn install(share: &Path) -> Result<(), Failure> {
    let make = |folder: &Path| {
        let folder = share.join(folder);
        fs::create_dir_all(&folder).map_err(|error| Failure::io(&folder, &error))?;
        Ok::<_, Failure>(folder)
    };
    all_pages(&make(Path::new("man/man1"))?)?;
    for (shell, folder, name) in [
        (Shell::Bash, "bash-completion/completions", "sivka"),
        (Shell::Zsh, "zsh/site-functions", "_sivka"),
        (Shell::Fish, "fish/vendor_completions.d", "sivka.fish"),
    ] {
        let path = make(Path::new(folder))?.join(name);
        write_file(&path, &completions(shell))?;
    }
    let zsh = shown(&share.join("zsh/site-functions"));
    note(&format!(
        "manual pages and completions are in {}; zsh finds its own if fpath has {zsh}",
        shown(share)
    ));
    Ok(())
}

/// The manual page of the program, or of the command that `names` lead to.
fn one_page(names: &[String]) -> Result<Vec<u8>, Failure> {
    let mut program = Cli::command();
    // Building gives each command its full name, `sivka-seal`.
    program.build();
    let described = names.iter().try_fold(&program, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            let name = printable(&names.join(" "));
            Failure::new(Exit::Usage, format!("no command is called {name}"))
                .hint("`sivka --help` lists what is possible")
        })
    })?;
    page(described).map_err(|error| Failure::new(Exit::Internal, reason(&error)))
}

/// Writes the manual pages of the program and of every command into `folder`.
fn all_pages(folder: &Path) -> Result<(), Failure> {
    let mut program = Cli::command();
    program.build();
    let mut commands = vec![&program];
    while let Some(command) = commands.pop() {
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));
        let page = page(command).map_err(|error| Failure::new(Exit::Internal, reason(&error)))?;
        write_file(&path, &page)?;
        commands.extend(command.get_subcommands());
    }
    Ok(())
}

/// Writes a file of documentation, in place of an older one.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(path, None, true)?;
    let written = output.file().write_all(bytes);
    written.map_err(|error| Failure::io(path, &error))?;
    output.commit()
}

/// The page in the usual order, with the exit statuses under their usual title.
fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let version = Cli::command().render_version();
    let manual = clap_mangen::Man::new(command.clone())
        .source(version.trim())
        .manual("Sivka");
    let mut page = Vec::new();
    manual.render_title(&mut page)?;
    manual.render_name_section(&mut page)?;
    manual.render_synopsis_section(&mut page)?;
    manual.render_description_section(&mut page)?;
    manual.render_options_section(&mut page)?;
    if command.has_subcommands() {
        manual.render_subcommands_section(&mut page)?;
    }
    let name = command.get_display_name();
    examples::render(name.unwrap_or_else(|| command.get_name()), &mut page)?;
    Exit::roff().to_writer(&mut page)?;
    Ok(page)
}
