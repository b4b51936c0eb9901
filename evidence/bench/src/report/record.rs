//! A run kept in the project: figures, with machine and versions.

use super::{Measured, csv};
use crate::clock::gigahertz;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The packages that peers come from, as Cargo.lock calls them.
const PEER_PACKAGES: [&str; 10] = [
    "aes-gcm-siv",
    "aws-lc-sys",
    "blake2b_simd",
    "boring-sys",
    "chacha20",
    "kuznyechik",
    "libsodium-sys-stable",
    "mgm",
    "openssl-src",
    "ring",
];

/// Where and when a record was made.
pub(crate) struct Origin {
    /// The CPU by its own name, its family and its model.
    cpu: String,
    /// The day in UTC, as in 2026-01-31.
    date: String,
    /// The commit, read before anything is measured.
    commit: String,
}

impl Origin {
    /// This machine, now.
    pub(crate) fn here() -> Self {
        let date = said("date", &["-u", "+%F"]);
        Self { cpu: cpu(), date: date.unwrap_or_else(|| "undated".to_owned()), commit: commit() }
    }

    /// Writes `evidence/record/<folder>/<date>.csv` and `.txt`, with `label` after the date, and
    /// gives what it wrote. An empty `folder` means the CPU's own name. A record that exists is
    /// replaced.
    pub(crate) fn record(
        &self,
        rows: &[Measured],
        folder: &str,
        label: Option<&str>,
    ) -> io::Result<[PathBuf; 2]> {
        let folder = if folder.is_empty() { slug(&self.cpu) } else { slug(folder) };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record").join(folder);
        fs::create_dir_all(&folder)?;
        let label = label.map_or_else(String::new, |label| format!("-{}", slug(label)));
        let stem = folder.join(format!("{}{label}", self.date));
        let [table, text] = ["csv", "txt"].map(|end| stem.with_extension(end));
        fs::write(&table, csv(rows))?;
        fs::write(&text, self.circumstances())?;
        Ok([table, text])
    }

    /// Machine, commit and versions of the figures.
    fn circumstances(&self) -> String {
        let arguments: Vec<String> = env::args().skip(1).collect();
        let flags = env!("SIVKA_BENCH_RUSTFLAGS");
        let flags = if flags.is_empty() { "none" } else { flags };
        let mut text = format!(
            "command    sivka-bench {}\nfeatures   {}\ncpu        {}\nclock      {:.2} GHz\n\
             date       {}\ncompiler   {}\nrustflags  {flags}\ncommit     {}\n",
            arguments.join(" "),
            env!("SIVKA_BENCH_FEATURES"),
            self.cpu,
            gigahertz(),
            self.date,
            env!("SIVKA_BENCH_RUSTC"),
            self.commit,
        );
        for package in PEER_PACKAGES {
            let versions = locked_versions(package).join(", ");
            if !versions.is_empty() {
                text += &format!("{package:<11} {versions}\n");
            }
        }
        text
    }
}

/// The versions of `package` in Cargo.lock.
fn locked_versions(package: &str) -> Vec<&'static str> {
    let lock = include_str!("../../../../Cargo.lock");
    let name = format!("name = \"{package}\"\nversion = \"");
    lock.split(&name).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The output of a program, if it succeeds.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(said)
}

/// The commit that is checked out, and whether the tree differs from it.
fn commit() -> String {
    let words = ["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty= with changes"];
    let at = ["-C", env!("CARGO_MANIFEST_DIR")];
    said("git", &[&at[..], &words].concat()).unwrap_or_else(|| "unknown".to_owned())
}

/// The CPU's own name, and family, model and stepping, because a virtual machine
/// may hide the name.
fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        info.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim())
    };
    let name = field("model name").map_or(format!("unnamed {}", env::consts::ARCH), str::to_owned);
    let numbers = [("family", "cpu family"), ("model", "model"), ("stepping", "stepping")];
    let numbers = numbers.map(|(word, key)| Some(format!(", {word} {}", field(key)?)));
    name + &numbers.into_iter().flatten().collect::<String>()
}

/// Lower-case words joined by hyphens, for a file name.
fn slug(name: &str) -> String {
    let words = name.to_lowercase().replace("(r)", "").replace("(tm)", "");
    words
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::{locked_versions, slug};

    #[test]
    fn names() {
        assert_eq!(slug("Intel(R) Xeon(R) Processor, model 2"), "intel-xeon-processor-model-2");
        assert!(matches!(locked_versions("clap")[..], [version] if version.starts_with("4.")));
        assert_eq!(locked_versions("kuznyechik").len(), 2);
        assert!(locked_versions("no such package").is_empty());
    }
}
