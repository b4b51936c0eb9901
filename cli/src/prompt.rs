//! Asking for a passphrase on the terminal.
//!
//! The terminal is opened by its own name, because standard input may be the data. Typed characters
//! are never shown.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use zeroize::Zeroizing;

use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::name::shown;
use crate::passphrase::check_new;

/// How often one may be typed.
pub(crate) const TRIES: usize = 3;

/// Asks for the passphrase of the file at `path`; once more, after one that opened nothing.
pub(crate) fn passphrase(path: &Path, again: bool) -> Result<Zeroizing<String>, Failure> {
    let path = shown(path);
    let typed = match again {
        false => ask(&format!("passphrase for {path}: ")),
        true => ask(&format!("that passphrase does not open {path}; try again: ")),
    }?;
    match typed.is_empty() {
        true => Err(Failure::new(Exit::Key, "the passphrase is empty")),
        false => Ok(typed),
    }
}

/// Asks for a new passphrase, twice, because a slip of the finger would lock the file for good.
pub(crate) fn new_passphrase() -> Result<Zeroizing<String>, Failure> {
    let mut prompt = "new passphrase: ";
    for _ in 0..TRIES {
        let first = ask(prompt)?;
        check_new(&first).map_err(|message| Failure::new(Exit::Key, message))?;
        if *first == *ask("the same again: ")? {
            return Ok(first);
        }
        prompt = "the two passphrases differ; new passphrase: ";
    }
    Err(Failure::new(Exit::Key, "the two passphrases differ"))
}

/// Asks a question on the terminal that `y` agrees to.
///
/// # Errors
/// There is no terminal.
pub(crate) fn confirm(question: &str) -> io::Result<bool> {
    let (input, output) =
        if cfg!(windows) { ("CONIN$", "CONOUT$") } else { ("/dev/tty", "/dev/tty") };
    let answers = File::open(input)?;
    let mut terminal = File::options().write(true).open(output)?;
    terminal.write_all(question.as_bytes())?;
    let mut answer = String::new();
    BufReader::new(answers).read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// The text that is typed at a prompt.
fn ask(prompt: &str) -> Result<Zeroizing<String>, Failure> {
    let file = "give the passphrase in a file: --help has the option for it";
    let failure = |message| Failure::new(Exit::Key, message);
    typed(prompt).map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted | io::ErrorKind::UnexpectedEof => {
            if error.kind() == io::ErrorKind::Interrupted {
                // Ctrl-C. The signal is on its way to the thread that ends the process, unless
                // this process was told to ignore it.
                std::thread::sleep(Duration::from_secs(1));
            }
            failure("no passphrase was entered")
        }
        io::ErrorKind::InvalidData => {
            failure("the passphrase is not UTF-8; set the terminal to UTF-8")
        }
        io::ErrorKind::InvalidInput => {
            failure("the passphrase is longer than the 1000 bytes that a terminal takes").hint(file)
        }
        _ => {
            let message = "no terminal to ask for the passphrase on";
            Failure::new(Exit::Usage, format!("{message}: {}", reason(&error))).hint(file)
        }
    })
}

/// The most bytes that are typed: macOS takes 1024 in a line, Linux 4096, and both drop the rest
/// without a word.
#[cfg(unix)]
const MAX_TYPED_LEN: usize = 1000;

#[cfg(unix)]
fn typed(prompt: &str) -> io::Result<Zeroizing<String>> {
    use std::io::Read;
    let mut terminal = File::options().read(true).write(true).open("/dev/tty")?;
    let _hidden = Hidden::new(&terminal)?;
    terminal.write_all(prompt.as_bytes())?;
    // All of it at once: a buffer that grows leaves copies of a secret behind.
    let mut line = Zeroizing::new(vec![0; 8 << 10]);
    let mut len = 0;
    while line[..len].last() != Some(&b'\n') {
        match terminal.read(&mut line[len..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => {
                len += more;
                // The terminal gives a part of a line for Ctrl-D alone, and keeps that.
                if line[len - 1] != b'\n' && len < line.len() {
                    line[len] = 0x04;
                    len += 1;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if len > MAX_TYPED_LEN {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let text = std::str::from_utf8(&line[..len - 1]).map_err(|_| io::ErrorKind::InvalidData)?;
    Ok(Zeroizing::new(text.to_owned()))
}

/// A terminal without echo, until this is dropped or a signal ends the run.
#[cfg(unix)]
struct Hidden;

#[cfg(unix)]
impl Hidden {
    /// The terminal still edits the line; all other characters count as typed.
    fn new(terminal: &File) -> io::Result<Self> {
        use rustix::termios::{
            InputModes, LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr,
        };
        let before = tcgetattr(terminal)?;
        let mut hidden = before.clone();
        let edited = LocalModes::ICANON | LocalModes::ISIG | LocalModes::ECHONL;
        hidden.local_modes.insert(edited);
        hidden.local_modes.remove(LocalModes::ECHO);
        // Also Ctrl-Q and Ctrl-S, which would stop the terminal and be gone.
        let changed = InputModes::ISTRIP | InputModes::INLCR | InputModes::IGNCR | InputModes::IXON;
        hidden.input_modes.remove(changed);
        hidden.input_modes.insert(InputModes::ICRNL);
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        hidden.input_modes.insert(InputModes::IUTF8);
        // If the run were stopped, the terminal would show later typing.
        let disabled = if cfg!(target_os = "linux") { 0 } else { 0xff };
        hidden.special_codes[SpecialCodeIndex::VSUSP] = disabled;
        let terminal = terminal.try_clone()?;
        crate::interrupt::unfinished(|unfinished| {
            tcsetattr(&terminal, OptionalActions::Now, &hidden)?;
            unfinished.terminal = Some((terminal, before));
            Ok(Self)
        })
    }
}

#[cfg(unix)]
impl Drop for Hidden {
    fn drop(&mut self) {
        crate::interrupt::unfinished(crate::interrupt::Unfinished::show_what_is_typed);
    }
}

/// The console takes no control characters.
#[cfg(not(unix))]
fn typed(prompt: &str) -> io::Result<Zeroizing<String>> {
    let text = Zeroizing::new(rpassword::prompt_password(prompt)?);
    // U+FFFD replaces bytes that are not UTF-8: different passphrases would become the same.
    match text.contains(char::REPLACEMENT_CHARACTER) {
        true => Err(io::ErrorKind::InvalidData.into()),
        false => Ok(text),
    }
}
