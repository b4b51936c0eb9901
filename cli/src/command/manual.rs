//! Manual pages and shell completions, made from the parser's own definition.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::printable;

/// The completion script for `shell`.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sivka", &mut script);
    script
}

/// The manual page of the program, or of the command that `names` lead to.
pub(crate) fn manual(names: &[String]) -> Result<Vec<u8>, Failure> {
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
    render(&clap_mangen::Man::new(described.clone()))
        .map_err(|error| Failure::new(Exit::Internal, reason(&error)))
}

/// The page in the usual order, with the exit statuses under their usual title.
fn render(manual: &clap_mangen::Man) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    manual.render_title(&mut page)?;
    manual.render_name_section(&mut page)?;
    manual.render_synopsis_section(&mut page)?;
    manual.render_description_section(&mut page)?;
    manual.render_options_section(&mut page)?;
    manual.render_subcommands_section(&mut page)?;
    Exit::roff().to_writer(&mut page)?;
    Ok(page)
}
