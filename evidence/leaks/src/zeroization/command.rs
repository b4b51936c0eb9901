//! The command: every run is stopped at its end, when all that it had is freed and its memory
//! still there. The memory is searched for what it was given and what it made of that.

use super::Searched;
use super::files::{Secret, add_file};
use super::memory::{Hit, Needles};
use super::process::{Terminal, Watched, saved_registers};
use super::request::{Act, Ending, Request};
use sivka_file::{KeyFile, Suite};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs the program `sivka` with key files and passphrases of every suite. Whether nothing was
/// found.
pub(crate) fn of_command(program: &Path) -> Result<bool, String> {
    control(program)?;
    let mut searched = Searched::default();
    let folder = Folder::make()?;
    let mut number = 0;
    for &suite in Suite::ALL {
        for act in [
            Act::KeyFile(Ending::Opened),
            Act::Passphrase(Ending::Opened),
        ] {
            number += 1;
            let len = super::FILE_LENS[1];
            let request = Request::new(suite.name(), 32, act, len, number);
            let secret = Given::write(&folder, &request)?;
            let runs = Runs {
                program,
                folder: &folder,
                request: &request,
                secret: &secret,
            };
            runs.all(suite, &mut searched)?;
        }
    }
    Ok(searched.report())
}

/// Runs it with a key in its environment too, where nobody wipes it: who does not find it has
/// said nothing of the others.
fn control(program: &Path) -> Result<(), String> {
    let request = Request::new("", 32, Act::Kept, 0, u64::MAX);
    let digits: Vec<String> = request
        .key()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null());
    command.env("SIVKA_REMAINS_KEPT", digits.concat());
    let mut watched = Watched::start(&mut command)?;
    watched.run_to_end()?;
    let mut needles = Needles::default();
    Secret::KeyFile(request.key()).add(&mut needles);
    let (hits, _) = needles.finder().search_process(&watched.0)?;
    watched.go_on()?;
    if hits.is_empty() {
        return Err("a key that was kept was not found".to_owned());
    }
    println!(
        "control: a key that was kept was found in {} pieces",
        hits.len()
    );
    Ok(())
}

/// What a run is given: a file, and how the command is told of it.
struct Given {
    option: &'static str,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Given {
    fn write(folder: &Folder, request: &Request) -> Result<Self, String> {
        let path = folder.0.join("secret");
        let (option, bytes, text) = if matches!(request.act, Act::Passphrase(_)) {
            let passphrase = request.passphrase();
            ("--passphrase-file", passphrase.clone(), passphrase)
        } else {
            let key = request.key().first_chunk().ok_or("a key of 32 bytes")?;
            let made = KeyFile::from_bytes(key, "name").map_err(|e| e.to_string())?;
            ("--key", key.to_vec(), made.to_text().as_bytes().to_vec())
        };
        fs::write(&path, text).map_err(|e| e.to_string())?;
        let owner = Permissions::from_mode(0o600);
        fs::set_permissions(&path, owner).map_err(|e| e.to_string())?;
        Ok(Self {
            option,
            path,
            bytes,
        })
    }

    fn secret(&self) -> Secret<'_> {
        match self.option {
            "--key" => Secret::KeyFile(&self.bytes),
            _ => Secret::Passphrase(&self.bytes),
        }
    }
}

/// The runs of one suite with one secret.
struct Runs<'a> {
    program: &'a Path,
    folder: &'a Folder,
    request: &'a Request,
    secret: &'a Given,
}

impl Runs<'_> {
    fn all(&self, suite: Suite, searched: &mut Searched) -> Result<(), String> {
        let path = |name: &str| self.folder.0.join(name).display().to_string();
        let (plain, sealed, forged) = (path("plain"), path("sealed"), path("forged"));
        let write = |to: &str, bytes: &[u8]| fs::write(to, bytes).map_err(|e| format!("{to}: {e}"));
        write(&plain, &vec![0; self.request.len])?;
        let given = [self.secret.option, &self.secret.path.display().to_string()];
        let seal = [
            "seal",
            "-qf",
            "--suite",
            suite.name(),
            "-o",
            &sealed,
            &plain,
        ];
        let open = ["open", "-qf", "-o", &plain];
        self.run("seal", &[&seal[..], &given].concat(), None, true, searched)?;
        self.run(
            "open",
            &[&open[..], &given, &[&sealed]].concat(),
            None,
            true,
            searched,
        )?;
        let mut bytes = fs::read(&sealed).map_err(|e| format!("{sealed}: {e}"))?;
        *bytes.last_mut().ok_or("an empty file")? ^= 1;
        write(&forged, &bytes)?;
        let arguments = [&open[..], &given, &[&forged]].concat();
        self.run("open, forged", &arguments, None, false, searched)?;
        // A slot more for the same secret: the file key goes through the command.
        let slot = [
            "slot",
            "add",
            &format!("--new-{}", &given[0][2..]),
            given[1],
        ];
        self.run(
            "slot add",
            &[&slot[..], &given, &[&sealed]].concat(),
            None,
            true,
            searched,
        )?;
        if matches!(self.request.act, Act::Passphrase(_)) {
            let typed = [&self.secret.bytes[..], b"\n"].concat();
            let twice = [&typed[..], &typed].concat();
            let arguments = [&seal[..], &["-p"]].concat();
            self.run("seal, typed", &arguments, Some(&twice), true, searched)?;
            let arguments = [&open[..], &["-p", &sealed]].concat();
            self.run("open, typed", &arguments, Some(&typed), true, searched)?;
        }
        Ok(())
    }

    /// Runs the command to its end, `typed` being what its terminal says, and searches it.
    fn run(
        &self,
        name: &str,
        arguments: &[&str],
        typed: Option<&[u8]>,
        succeeds: bool,
        searched: &mut Searched,
    ) -> Result<(), String> {
        let mut command = Command::new(self.program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if !succeeds {
            command.stderr(Stdio::null());
        }
        let terminal = typed
            .map(|text| Terminal::give(&mut command, text))
            .transpose()?;
        let mut watched = Watched::start(&mut command)?;
        watched.run_to_end()?;
        drop(terminal);
        let sealed = fs::read(self.folder.0.join("sealed")).map_err(|e| e.to_string())?;
        let mut needles = Needles::default();
        let secret = self.secret.secret();
        secret.add(&mut needles);
        add_file(&mut needles, &sealed, &secret).ok_or("not a sealed file")?;
        let finder = needles.finder();
        let (mut hits, bytes): (Vec<Hit>, usize) = finder.search_process(&watched.0)?;
        hits.extend(finder.search_registers(&[saved_registers(watched.pid())?]));
        searched.bytes += bytes;
        searched.add(self.request, name, 0, &hits);
        if watched.go_on()? == succeeds {
            Ok(())
        } else {
            Err(format!("{arguments:?} ended otherwise than it should"))
        }
    }
}

/// Where the files are. It is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Result<Self, String> {
        let path =
            std::env::temp_dir().join(format!("sivka-zeroization-of-{}", std::process::id()));
        fs::create_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
