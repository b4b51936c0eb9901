//! `cargo xtask report`: measures what `docs/performance.md` shows, and writes the page.
//!
//! The figures are records of `sivka-bench` and of the Java benchmark, under `evidence/record`.
//! The page is made of these alone, of every machine the newest: `--page` writes it again
//! without measuring.

mod figures;
mod kernels;
mod page;
mod summary;

use crate::process::{Failure, capture, cargo, exists, program, project_root, succeed};
use std::fs;
use std::path::{Path, PathBuf};

/// One run of the bench, and its place on the page.
struct Run {
    /// What is in the names of its records, after `report-`.
    label: &'static str,
    title: &'static str,
    /// What the table is there to be compared with.
    purpose: &'static str,
    arguments: &'static [&'static str],
    /// The files and folders whose code decides the figures.
    sources: &'static [&'static str],
}

impl Run {
    /// Whether the table has nanoseconds, because calls are compared and not throughput.
    fn in_ns(&self) -> bool {
        self.label == "interfaces"
    }
}

const GCM_SIV_SOURCES: [&str; 6] = [
    "core/src/aead",
    "core/src/kernel/aes",
    "core/src/kernel/gcm_siv",
    "core/src/kernel/polyval",
    "core/src/mode/gcm_siv.rs",
    "core/src/tier",
];

/// The tables of the libraries that this project has learnt from, in one run each, with all
/// peers beside.
const RUNS: [Run; 4] = [
    Run {
        label: "aes-gcm-siv",
        title: "AES-GCM-SIV and AES-GCM, POLYVAL and GHASH",
        purpose: "The AES-GCM-SIV library for C# of 2018 compared the same at these sizes.",
        arguments: &[
            "aes-128-gcm-siv",
            "aes-256-gcm-siv",
            "polyval",
            "--calls",
            "single",
            "--sizes",
            "0,16,128,1024,4096,8192,65536,1048576",
            "--aad",
            "0,128,1024,4096,8192",
        ],
        sources: &GCM_SIV_SOURCES,
    },
    Run {
        label: "chacha20-blake2b",
        title: "ChaCha20-BLAKE2b and ChaCha20-Poly1305",
        purpose: "The ChaCha20-BLAKE2b library for C# compared itself at these sizes with the \
                  ChaCha20-Poly1305 and XChaCha20-Poly1305 of libsodium.",
        arguments: &[
            "chacha20-blake2b",
            "--calls",
            "single",
            "--sizes",
            "512,16384,32768,65536,131072,524288,35756441",
            "--aad",
            "0",
        ],
        sources: &[
            "core/src/kernel/blake2b",
            "core/src/kernel/chacha20",
            "core/src/kernel/chacha20_blake2b",
            "core/src/mode/chacha20_blake2b",
            "core/src/tier",
        ],
    },
    Run {
        label: "kuznyechik",
        title: "Kuznyechik",
        purpose: "libgost15 prints this table of its compact, optimised and SIMD \
                  implementations. Our tiers are constant-time.",
        arguments: &["kuznyechik", "--calls", "single"],
        sources: &[
            "core/src/kernel/kuznyechik",
            "core/src/kernel/mgm_multiply",
            "core/src/mode/ctr.rs",
            "core/src/mode/mgm.rs",
            "core/src/mode/omac.rs",
            "core/src/tier",
        ],
    },
    Run {
        label: "interfaces",
        title: "Short messages through each interface",
        purpose: "Nanoseconds per message through Rust and through C, with AWS-LC and BoringSSL.",
        arguments: &[
            "aes-256-gcm-siv",
            "--calls",
            "interfaces",
            "--aad",
            "0",
            "--operations",
            "seal-apart,open-apart,seal-chained,open-chained",
        ],
        sources: &GCM_SIV_SOURCES,
    },
];

const JAVA: &str = "java";

/// Measures, and writes the page.
pub(crate) fn run() -> Result<(), Failure> {
    let mut build = cargo(&["build", "--release", "-p", "sivka-bench", "--features"]);
    // Else `chacha20` leaves out the fastest that it has.
    build.arg("peers").env("RUSTFLAGS", "--cfg chacha20_avx512");
    succeed(&mut build)?;
    let mut folder = None;
    for run in &RUNS {
        println!("\n{}", run.title);
        let mut bench = program("target/release/sivka-bench", run.arguments);
        bench.args(["--record", "--label", &format!("report-{}", run.label)]);
        let output = capture(&mut bench)?;
        println!("{output}");
        folder = output
            .lines()
            .rev()
            .map(Path::new)
            .find_map(Path::parent)
            .map(PathBuf::from);
        if let Some(folder) = &folder {
            figures::newest(folder, run.label)?.stamp(&kernels::digest(run.sources)?)?;
        }
    }
    let folder = folder.ok_or_else(|| Failure::new("the bench recorded nothing"))?;
    java(&folder)?;
    write_page()
}

/// The Java benchmark at 1 KiB, the size of the library that Java had.
fn java(folder: &Path) -> Result<(), Failure> {
    let jar = project_root().join("bindings/java/benchmark/target/sivka-benchmark.jar");
    if !jar.exists() || !exists("java") {
        return Err(Failure::new(format!(
            "{} is not there: mvn package in bindings/java",
            jar.display()
        )));
    }
    let mut java = program("java", &["-jar"]);
    java.arg(&jar)
        .args(["--rounds", "3", "-p", "length=1024", "Messages"]);
    let output = capture(&mut java)?;
    let table = output.find("\ncommand  ").map(|at| &output[at + 1..]);
    let table = table.ok_or_else(|| Failure::new("the Java benchmark printed no table"))?;
    let date = figures::newest(folder, RUNS[0].label)?.date;
    let record = folder.join(format!("{date}-report-{JAVA}.txt"));
    fs::write(&record, table).map_err(|e| Failure::new(format!("{}: {e}", record.display())))
}

/// Writes the page from the records.
pub(crate) fn write_page() -> Result<(), Failure> {
    let path = project_root().join(page::PATH);
    fs::write(&path, page::text()?).map_err(|e| Failure::new(format!("{}: {e}", page::PATH)))?;
    println!("written: {}", page::PATH);
    Ok(())
}

/// Whether the page is what the records say.
pub(crate) fn check() -> Result<(), Failure> {
    let path = project_root().join(page::PATH);
    if fs::read_to_string(path).is_ok_and(|now| page::text().is_ok_and(|then| now == then)) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} is not what the records say: cargo xtask report --page",
        page::PATH
    )))
}
