//! The command: every run is stopped at its end, when everything is freed and its memory still
//! there. The memory is searched for its secrets, and for everything derived from them.

use super::Searched;
use super::files::{Secret, add_file};
use super::memory::Needles;
use super::process::Terminal;
use crate::calls::{Kind, letters};
use crate::process::{Process, vector_registers};
use crate::secret::{Seed, array};
use sivka_file::{KeyFile, Suite};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use zeroize::Zeroizing;

/// The length of the content in bytes: enough to give work to other threads.
const LEN: usize = 2_000_000;

/// Runs the program `sivka` with key files and passphrases of every suite. Whether nothing was
/// found.
pub(crate) fn of_command(program: &Path) -> Result<bool, String> {
    control(program)?;
    let mut searched = Searched::default();
    let folder = Folder::make()?;
    let kinds = [Kind::KeyFile, Kind::Passphrase];
    let each = Suite::ALL.iter().flat_map(|suite| kinds.map(|kind| (*suite, kind)));
    for (number, (suite, kind)) in each.enumerate() {
        let runs = Runs { program, folder: &folder, kind, seed: Seed::of(number as u64) };
        runs.all(suite, &mut searched)?;
    }
    Ok(searched.report())
}

/// Runs it with a key in its environment too, where nobody wipes it: who does not find it has
/// said nothing of the others.
fn control(program: &Path) -> Result<(), String> {
    let key = Seed::of(u64::MAX / 2).unmarked().bytes(32);
    let digits: Vec<String> = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null());
    command.env("SIVKA_REMAINS_KEPT", digits.concat());
    let watched = Process::to_its_end(&mut command)?;
    let mut needles = Needles::default();
    Secret::new(Kind::KeyFile, key).add(&mut needles);
    let (hits, _) = needles.finder().search_process(watched.pid)?;
    watched.end()?;
    match hits.len() {
        0 => Err("a key that was kept was not found".to_owned()),
        pieces => {
            println!("control: a key that was kept was found in {pieces} pieces");
            Ok(())
        }
    }
}

/// The runs of one suite with one secret.
struct Runs<'a> {
    program: &'a Path,
    folder: &'a Folder,
    kind: Kind,
    seed: Seed,
}

impl Runs<'_> {
    /// The arguments of the command, and others of the kind.
    fn secrets(&self) -> [Zeroizing<Vec<u8>>; 2] {
        let secrets = self.seed.unmarked();
        [(); 2].map(|()| secrets.bytes(32))
    }

    /// Writes a secret to a file, and says how the command is told of it.
    fn write(&self, secret: &[u8], path: &str) -> Result<&'static str, String> {
        let (option, text) = match self.kind {
            Kind::Passphrase => ("--passphrase-file", letters(secret).to_vec()),
            _ => {
                let made = KeyFile::from_bytes(array(secret), "name").map_err(|e| e.to_string())?;
                ("--key", made.to_text().as_bytes().to_vec())
            }
        };
        fs::write(path, text).map_err(|e| e.to_string())?;
        let owner = Permissions::from_mode(0o600);
        fs::set_permissions(path, owner).map_err(|e| e.to_string())?;
        Ok(option)
    }

    fn all(&self, suite: Suite, searched: &mut Searched) -> Result<(), String> {
        let path = |name: &str| self.folder.0.join(name).display().to_string();
        let names = ["plain", "sealed", "forged", "secret", "another"];
        let [plain, sealed, forged, secret, another] = names.map(path);
        let write = |to: &str, bytes: &[u8]| fs::write(to, bytes).map_err(|e| format!("{to}: {e}"));
        write(&plain, &vec![0; LEN])?;
        let [first, other] = self.secrets();
        let given = [self.write(&first, &secret)?, &secret];
        let mut run = |name: &str, arguments: &[&[&str]], typed: Option<&[u8]>, succeeds: bool| {
            self.run(&format!("{suite}, {name}"), &arguments.concat(), typed, succeeds, searched)
        };
        let seal: [&str; 7] = ["seal", "-qf", "--suite", suite.name(), "-o", &sealed, &plain];
        let open = ["open", "-qf", "-o", &plain];
        run("seal", &[&seal, &given], None, true)?;
        run("open", &[&open, &given, &[&sealed]], None, true)?;
        let mut bytes = fs::read(&sealed).map_err(|e| format!("{sealed}: {e}"))?;
        *bytes.last_mut().ok_or("an empty file")? ^= 1;
        write(&forged, &bytes)?;
        run("open, forged", &[&open, &given, &[&forged]], None, false)?;
        // A slot more for another secret: the file key goes through the command.
        let new = format!("--new-{}", &self.write(&other, &another)?[2..]);
        let slot = ["slot", "add", &new, &another];
        run("slot add", &[&slot, &given, &[&sealed]], None, true)?;
        if self.kind == Kind::Passphrase {
            let typed = [&letters(&first)[..], b"\n"].concat();
            run("seal, typed", &[&seal, &["-p"]], Some(&typed.repeat(2)), true)?;
            run("open, typed", &[&open, &["-p", &sealed]], Some(&typed), true)?;
        }
        Ok(())
    }

    /// Runs the command to its end, with `typed` on its terminal, and searches it.
    fn run(
        &self,
        name: &str,
        arguments: &[&str],
        typed: Option<&[u8]>,
        succeeds: bool,
        searched: &mut Searched,
    ) -> Result<(), String> {
        let mut command = Command::new(self.program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        if !succeeds {
            command.stderr(Stdio::null());
        }
        let terminal = typed.map(|text| Terminal::give(&mut command, text)).transpose()?;
        let watched = Process::to_its_end(&mut command)?;
        drop(terminal);
        let sealed = fs::read(self.folder.0.join("sealed")).map_err(|e| e.to_string())?;
        let mut needles = Needles::default();
        let secrets = self.secrets().map(|bytes| Secret::new(self.kind, bytes));
        secrets.iter().for_each(|secret| secret.add(&mut needles));
        // Another secret is stretched only where it opens a slot: that takes a second.
        let tried = if name.ends_with("slot add") { 2 } else { 1 };
        let tried: Vec<&Secret> = secrets.iter().take(tried).collect();
        add_file(&mut needles, &sealed, &tried).ok_or("not a sealed file")?;
        let finder = needles.finder();
        let (mut hits, bytes) = finder.search_process(watched.pid)?;
        hits.extend(finder.search_registers(&[vector_registers(watched.pid)?]));
        searched.bytes += bytes;
        searched.add(&format!("{:?}, {name}", self.kind), 0, &hits);
        if watched.end()? == succeeds {
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
