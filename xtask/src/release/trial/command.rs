//! The command of an archive: a key, a file sealed and opened, completions and pages.

use super::super::platform::Platform;
use super::Trial;
use crate::files::{read, read_text, write};
use crate::process::{Failure, capture, program, succeed};
use std::path::Path;
use std::process::Command;

impl Trial<'_> {
    pub(super) fn command(&self, platform: &Platform) -> Result<(), Failure> {
        let folder = self.unpack("sivka", platform)?;
        has_documents(&folder)?;
        let path = folder.join("bin").join(platform.program("sivka"));
        stands_on_old_glibc(&path)?;
        self.lists_its_crates(&path, platform)?;
        let work = folder.join("work");
        let plaintext: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        write(&work.join("plaintext"), &plaintext)?;
        for arguments in [
            &["keygen", "-o", "key"][..],
            &["seal", "--key", "key", "plaintext"],
            &["verify", "--key", "key", "plaintext.sivka"],
            &["open", "--key", "key", "plaintext.sivka", "-o", "opened"],
        ] {
            let mut command = Command::new(&path);
            succeed(command.args(arguments).current_dir(&work))?;
        }
        if read(&work.join("opened"))? == plaintext {
            Ok(())
        } else {
            Err(Failure::new("what was opened is not what was sealed"))
        }
    }
}

/// Finds the list in a program of any format, and prints those of its crates that run.
const CRATES_OF_PROGRAM: &str = "
import json, re, sys, zlib
program = open(sys.argv[1], 'rb').read()
for start in re.finditer(rb'\\x78[\\x01\\x5e\\x9c\\xda]', program):
    try:
        crates = json.loads(zlib.decompressobj().decompress(program[start.start():]))['packages']
    except (KeyError, TypeError, ValueError, zlib.error):
        continue
    for crate in crates:
        if crate.get('kind', 'runtime') == 'runtime':
            print(crate['name'], crate['version'])
    break
";

impl Trial<'_> {
    /// Whether the program names every crate that it is made of: what tools that look for
    /// vulnerable ones read (`cargo audit bin`, Trivy, Grype). It may name a few more, which
    /// an optional feature of another crate in the workspace would bring.
    fn lists_its_crates(&self, path: &Path, platform: &Platform) -> Result<(), Failure> {
        let mut python = self.tools.python();
        let named = capture(python.args(["-c", CRATES_OF_PROGRAM]).arg(path))?;
        let linked = crate::sbom::linked("sivka-cli", platform.target)?;
        let unnamed: Vec<String> = linked
            .iter()
            .map(|[name, version, _]| format!("{name} {version}"))
            .filter(|linked| !named.lines().any(|named| named == linked))
            .collect();
        if unnamed.is_empty() {
            return Ok(());
        }
        Err(Failure::new(format!(
            "{} does not say that it is made of {}",
            path.display(),
            unnamed.join(", ")
        )))
    }
}

/// What is beside the program: pages, completions that a shell reads, licences.
fn has_documents(folder: &Path) -> Result<(), Failure> {
    let share = folder.join("share");
    let page = read_text(&share.join("man/man1/sivka.1"))?;
    let licences = read_text(&share.join("doc/sivka/THIRD-PARTY.txt"))?;
    for (text, wanted) in [
        (page, ".TH sivka"),
        (licences, "Permission is hereby granted"),
    ] {
        if !text.contains(wanted) {
            return Err(Failure::new(format!(
                "`{wanted}` is not where it should be"
            )));
        }
    }
    read(&share.join("man/man1/sivka-seal.1"))?;
    read(&share.join("zsh/site-functions/_sivka"))?;
    read(&share.join("fish/vendor_completions.d/sivka.fish"))?;
    let completions = share.join("bash-completion/completions/sivka");
    succeed(program("bash", &["-n"]).arg(completions))
}

/// Whether everything that a program wants of glibc was there in 2.17.
pub(super) fn stands_on_old_glibc(path: &Path) -> Result<(), Failure> {
    let bytes = read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let versions = text.split("GLIBC_2.").skip(1);
    let newest = versions
        .filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            rest[..end].parse::<u32>().ok()
        })
        .max();
    match newest {
        Some(newest) if newest <= 17 => Ok(()),
        newest => Err(Failure::new(format!(
            "{} wants glibc 2.{newest:?}, and not 2.17",
            path.display()
        ))),
    }
}
