//! The project's own commands: `cargo xtask <command>`. CONTRIBUTING.md has a table of them.
#![forbid(unsafe_code)]

mod blob;
mod cargo;
mod check;
mod ci;
mod constant_time;
mod cpu;
mod emulated;
mod files;
mod install;
mod languages;
mod leaks;
mod planted;
mod process;
mod release;
mod structure;
mod targets;
mod test;
mod traces;
mod zeroization;

use process::{Failure, Tally, seconds};
use std::env;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
usage: cargo xtask <command>

  test [--quick|--all]  run the tests of Rust, C and each language; of Rust alone; or of all
  check                 check the crates that have changed
  structure             check who imports whom
  targets [--list]      check core for other CPUs and systems; or name these
  tiers                 run core's kernels as on lesser CPUs (needs qemu-user)
  emulated [TARGET...]  run the tests for other CPUs and systems (needs emulators)
  ctgrind [--all]       check for secret-dependent branches and indices (needs valgrind)
  traces [--all]        compare runs with other secrets, instruction by instruction
  zeroization           search the memory of processes for keys that they have freed
  planted [NAME...]     put leaks into a copy of the tree, and see each reported
  planted --defects     put other defects into one, and see the test named for each fail
  planted --places      see whether each still has its place in the sources
  integrations [--all]  run the tests of DuckDB, PostgreSQL and Spark; on every line of Spark
  tink                  have Tink judge our keysets, OpenSSL our AES-SIV (needs Go, Maven, Python)
  reference             check the specifications by programs made from them (needs Python)
  release [--twice] [--maven-key NAME] [PLATFORM...]
                        build what users get, for these or all, and try it
  blob                  make the machine code of the Go package, unless it is there
  interface             write the C header, and what other languages say of it
  install --prefix DIR  build the C library and install it there
  report [--page]       measure, and write docs/performance.md; or write it alone
  deny                  check licences and sources (needs cargo-deny), and note it for CI
  instructions          read which instructions each tier has
  lines                 count lines, and compare them with lines.toml
  ci [--all | --turn N] [PART...]
                        everything that CI does, with a part that is in turn, or all of these;
                        or these parts of it";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["test"] => counted(|| test::run(false)),
        ["test", "--all"] => counted(|| test::run(true)),
        ["test", "--quick"] => counted(test::quick),
        ["structure"] => plain(&structure::run()),
        ["targets"] => counted(targets::run),
        ["targets", "--list"] => {
            targets::list();
            ExitCode::SUCCESS
        }
        ["tiers"] => counted(|| emulated::on_lesser(true)),
        ["emulated", ref targets @ ..] => counted(|| emulated::run(targets)),
        ["ctgrind"] => counted(|| constant_time::on_tiers(&constant_time::TIERS, "--usual")),
        ["ctgrind", "--all"] => counted(|| constant_time::on_tiers(&constant_time::TIERS, "--all")),
        ["traces"] => counted(|| traces::run(false)),
        ["traces", "--all"] => counted(|| traces::run(true)),
        ["zeroization"] => counted(zeroization::run),
        ["integrations"] => counted(|| languages::engines(false)),
        ["integrations", "--all"] => counted(|| languages::engines(true)),
        ["tink"] => counted(|| languages::of("judges")),
        ["release", ref arguments @ ..] => counted(|| release::run(arguments)),
        ["planted", "--places"] => plain(&planted::places()),
        ["planted", "--defects"] => counted(|| planted::defects((0, 1))),
        ["planted", ref names @ ..] => counted(|| planted::watched(|_| true, names)),
        ["reference"] => counted(cargo::reference),
        ["blob"] => plain(&blob::ensure(true)),
        ["interface"] => plain(&cargo::interface()),
        ["install", "--prefix", prefix, ref words @ ..] => plain(&install::run(prefix, words)),
        ["report"] => plain(&cargo::report(&[])),
        ["report", "--page"] => plain(&cargo::report(&["--page"])),
        ["deny"] => plain(&cargo::deny()),
        ["instructions"] => plain(&leaks::instructions()),
        ["lines"] => plain(&structure::lines::print()),
        ["check"] => counted(check::run),
        ["ci", "--help"] => usage(),
        ["ci", ref parts @ ..] => {
            counted(|| Tally::of("what is asked for", |tally| ci::run(parts, tally)))
        }
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// Runs a command that counts, and ends on the line that says how many.
fn counted(command: impl FnOnce() -> Tally) -> ExitCode {
    let start = Instant::now();
    let tally = command();
    println!();
    tally.print();
    println!("{:>10}  in all", seconds(start.elapsed()));
    println!();
    println!("{} passed, {} failed", tally.passed(), tally.failed());
    if tally.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Ends a command that has nothing to count.
fn plain(result: &Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
