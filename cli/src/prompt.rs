//! Asking for a passphrase on the terminal.
//!
//! The terminal is opened by its own name, so that standard input can be the
//! data; what is typed is never shown.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use zeroize::Zeroizing;

use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::shown;

/// Asks for the passphrase of the file at `path`.
pub(crate) fn passphrase(path: &Path) -> Result<Zeroizing<String>, Failure> {
    ask(&format!("passphrase for {}: ", shown(path)))
}

/// Asks for it once more, after one that opened nothing.
pub(crate) fn passphrase_again(path: &Path) -> Result<Zeroizing<String>, Failure> {
    ask(&format!(
        "that passphrase does not open {}; try again: ",
        shown(path)
    ))
}

/// Asks for a new passphrase, twice, because a slip of the finger would lock
/// the file for good.
pub(crate) fn new_passphrase() -> Result<Zeroizing<String>, Failure> {
    let first = ask("new passphrase: ")?;
    if *first != *ask("the same again: ")? {
        return Err(Failure::new(Exit::Key, "the two passphrases differ"));
    }
    Ok(first)
}

/// Asks a question on the terminal that `y` agrees to.
///
/// # Errors
/// There is no terminal.
pub(crate) fn confirm(question: &str) -> io::Result<bool> {
    let (input, output) = if cfg!(windows) {
        ("CONIN$", "CONOUT$")
    } else {
        ("/dev/tty", "/dev/tty")
    };
    let answers = File::open(input)?;
    let mut terminal = File::options().write(true).open(output)?;
    terminal.write_all(question.as_bytes())?;
    let mut answer = String::new();
    BufReader::new(answers).read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn ask(prompt: &str) -> Result<Zeroizing<String>, Failure> {
    remember_terminal();
    let answer = rpassword::prompt_password(prompt).map(Zeroizing::new);
    forget_terminal();
    if answer
        .as_ref()
        .is_ok_and(|text| text.contains(char::REPLACEMENT_CHARACTER))
    {
        // It takes the place of what is not UTF-8: other passphrases would become the same.
        let message = "the passphrase is not UTF-8; set the terminal to UTF-8";
        return Err(Failure::new(Exit::Key, message));
    }
    answer.map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => {
            // Ctrl-C. The signal is on its way to the thread that ends the
            // process, unless this process was told to ignore it.
            std::thread::sleep(Duration::from_secs(1));
            Failure::new(Exit::Key, "no passphrase was entered")
        }
        io::ErrorKind::UnexpectedEof => Failure::new(Exit::Key, "no passphrase was entered"),
        _ => Failure::new(
            Exit::Usage,
            format!(
                "no terminal to ask for the passphrase on: {}",
                reason(&error)
            ),
        )
        .hint("give the passphrase in a file: --help has the option for it"),
    })
}

/// Keeps the settings of the terminal where a signal finds them: while a
/// passphrase is typed the echo is off, and must not stay so.
#[cfg(unix)]
fn remember_terminal() {
    let settings = std::fs::File::open("/dev/tty").and_then(|terminal| {
        let settings = rustix::termios::tcgetattr(&terminal)?;
        Ok((terminal, settings))
    });
    crate::interrupt::unfinished(|unfinished| unfinished.terminal = settings.ok());
}

#[cfg(unix)]
fn forget_terminal() {
    crate::interrupt::unfinished(|unfinished| unfinished.terminal = None);
}

#[cfg(not(unix))]
fn remember_terminal() {}

#[cfg(not(unix))]
fn forget_terminal() {}
