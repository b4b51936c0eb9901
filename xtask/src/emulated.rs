//! `cargo xtask tiers` and `cargo xtask emulated [TARGET…]`: the tests of `core` on lesser CPUs of
//! this kind; and for other CPUs and systems, with those of `file`, and of the command for Windows.
//!
//! Cargo builds the programs and hands each to an emulator, its `runner`. Each machine says which
//! tiers it has, and the tests must find exactly these: `SIVKA_REQUIRE_TIERS` makes them fail where
//! one is missing.

use crate::process::{
    Failure, Tally, WORKSPACE, cargo, exists, locked, output, program, project_root, run_tests,
    succeed,
};
use crate::targets::{is_installed, library};
use std::process::{Command, Stdio};

/// Tests that walk every length or count, or a long chain, not the grid: minutes in an emulator,
/// and run on this CPU for every tier that it has.
const TOO_SLOW: [&str; 4] = [
    "every_length",
    "every_hundred_thousand",
    "every_count_of_blocks_up_to_1100",
    "chains_of_65536_encryptions",
];

/// What a machine runs: the words of `cargo test` for each of its calls.
type Runs = &'static [&'static str];

/// The programs of `core` that execute every kernel: what a CPU runs that differs from another one
/// in its instructions alone. The conformance tests execute every line that the tests of batches
/// do, so the latter, which take as long, are not among them.
const KERNELS: Runs = &["--lib --test conformance --test dispatch --test chacha20_blake2b"];
const VECTORS: Runs = &["--test accumulated --test published"];

/// What has kernels of its own on a CPU with the instructions for SHA-3: the rest runs the same on
/// one without.
const WITHOUT_SHA3: Runs = &[
    "--lib -- gcm_siv polyval blake2b",
    "--test conformance -- gcm_siv_and_blake2b",
    "--test chacha20_blake2b --test wycheproof --test dispatch",
];

/// Everything of `core`, in parts of at most five minutes: on a machine that computes otherwise.
const ALL_OF_CORE: [Runs; 4] = [
    &["--lib --test conformance --test dispatch --test published"],
    &["--test accumulated --test aead --test aes_siv --test typed --test wycheproof"],
    &["--test batch --test column --test column_limits --test output_apart"],
    &[
        "--test differential --test kuznyechik --test kuznyechik_peers --test chacha20_blake2b \
       --test erase --test stack --test printed --test allocations --test nonces_after_fork \
       --test aes_siv_openssl",
    ],
];

/// A target, and how its programs run here.
struct Target {
    name: &'static str,
    shows: &'static str,
    /// The words of a command.
    emulator: &'static str,
    /// What `SIVKA_REQUIRE_TIERS` says; if empty, the tiers are those of this CPU.
    tiers: &'static str,
    /// The C compiler that links, if the toolchain does not do it by itself; and the packages of
    /// Debian that have it and the emulator.
    linker: &'static str,
    packages: &'static str,
    crates: &'static str,
    runs: Runs,
}

const TARGETS: [Target; 6] = [
    // No CPU that QEMU emulates lacks AES: `portable` is tested by lowering the tier, as
    // every test of tiers does.
    Target {
        name: "aarch64-unknown-linux-gnu",
        shows: "neon, with the instructions for SHA-3",
        emulator: "qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu",
        tiers: "portable,neon",
        linker: "aarch64-linux-gnu-gcc",
        packages: "qemu-user, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross",
        crates: "-p sivka",
        runs: &[KERNELS[0], VECTORS[0]],
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
        shows: "neon, without them",
        emulator: "qemu-aarch64 -cpu cortex-a72 -L /usr/aarch64-linux-gnu",
        tiers: "portable,neon",
        linker: "aarch64-linux-gnu-gcc",
        packages: "qemu-user, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross",
        crates: "-p sivka",
        runs: WITHOUT_SHA3,
    },
    Target {
        name: "s390x-unknown-linux-gnu",
        shows: "64 bits, the most significant byte first",
        emulator: "qemu-s390x -L /usr/s390x-linux-gnu",
        tiers: "portable",
        linker: "s390x-linux-gnu-gcc",
        packages: "qemu-user, gcc-s390x-linux-gnu, libc6-dev-s390x-cross",
        crates: "-p sivka -p sivka-file",
        runs: &["--lib --tests"],
    },
    Target {
        name: "armv7-unknown-linux-gnueabihf",
        shows: "32 bits",
        emulator: "qemu-arm -L /usr/arm-linux-gnueabihf",
        tiers: "portable",
        linker: "arm-linux-gnueabihf-gcc",
        packages: "qemu-user, gcc-arm-linux-gnueabihf, libc6-dev-armhf-cross",
        crates: "-p sivka -p sivka-file",
        runs: &["--lib --tests"],
    },
    Target {
        name: "wasm32-wasip1",
        shows: "WebAssembly, by Node",
        // Node 20 crashes where its collector marks beside a program that grows its memory.
        emulator: "node --no-warnings --no-concurrent-marking {root}/xtask/src/emulated/wasi.mjs",
        tiers: "portable",
        linker: "",
        packages: "nodejs",
        crates: "-p sivka",
        // No program starts another there.
        runs: &["--lib --tests -- --skip the_environment_lowers_and_never_raises"],
    },
    Target {
        name: WINDOWS,
        shows: "Windows, as far as Wine is",
        emulator: "wine",
        tiers: "",
        linker: "x86_64-w64-mingw32-gcc",
        packages: "wine, wine64, gcc-mingw-w64-x86-64-win32",
        crates: "-p sivka -p sivka-file -p sivka-cli",
        runs: &["--lib --bins --tests"],
    },
];

const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// Runs these targets, or all.
pub(crate) fn run(names: &[&str]) -> Tally {
    let mut tally = Tally::default();
    for name in names {
        if !TARGETS.iter().any(|target| target.name == *name) {
            let failure = Failure::new("there is no such target in xtask/src/emulated.rs");
            tally.add_check(name, &Err(failure));
        }
    }
    let asked = |target: &&Target| names.is_empty() || names.contains(&target.name);
    for target in TARGETS.iter().filter(asked) {
        target.run(target.crates, target.runs, &mut tally);
    }
    tally
}

/// What every run of CI does: the kernels of AArch64.
pub(crate) fn kernels_of_neon() -> Tally {
    of_core(&TARGETS[0], KERNELS)
}

pub(crate) fn vectors_on_neon() -> Tally {
    of_core(&TARGETS[0], VECTORS)
}

pub(crate) fn aarch64_without_sha3() -> Tally {
    of_core(&TARGETS[1], WITHOUT_SHA3)
}

/// A part of `core`, from 0 to 3.
pub(crate) fn s390x(part: usize) -> Tally {
    of_core(&TARGETS[2], ALL_OF_CORE[part])
}

pub(crate) fn webassembly() -> Tally {
    of_core(&TARGETS[4], TARGETS[4].runs)
}

fn of_core(target: &Target, runs: Runs) -> Tally {
    let mut tally = Tally::default();
    target.run("-p sivka", runs, &mut tally);
    tally
}

impl Target {
    fn run(&self, crates: &str, runs: Runs, tally: &mut Tally) {
        let what = format!("{} ({})", self.name, self.shows);
        let emulator = self.emulator.split(' ').next().unwrap_or_default();
        let linker = Some(self.linker).filter(|name| !name.is_empty());
        for program in linker.into_iter().chain([emulator]) {
            if !exists(program) {
                return tally.add_not_run(&what, &format!("{program} (Debian: {})", self.packages));
            }
        }
        if !is_installed(self.name) {
            return tally.add_not_run(&what, &library(self.name));
        }
        if self.name == WINDOWS {
            tally.add_check("a library that Wine lacks", &self.library_for_wine());
        }
        tally.stage(&what, |part| {
            for run in runs {
                let mut command = cargo(&["test", "--no-fail-fast", "--target", self.name]);
                command.args(crates.split(' '));
                if let Some(linker) = linker {
                    command.env(variable(self.name, "LINKER"), linker);
                }
                emulate(&mut command, self.name, self.emulator, self.tiers, run);
                part.append(&format!("{what}: "), run_tests(&what, &mut command));
            }
        });
    }

    /// Puts what Wine 8 lacks beside the programs.
    fn library_for_wine(&self) -> Result<(), Failure> {
        for folder in ["debug", "debug/deps"] {
            let folder = project_root().join("target").join(self.name).join(folder);
            let library = folder.join("bcryptprimitives.dll");
            crate::files::make_folder(&library)?;
            let mut command = program(self.linker, &["-shared", "-O2", "-o"]);
            command.arg(library);
            succeed(command.args(["xtask/src/emulated/bcryptprimitives.c", "-ladvapi32"]))?;
        }
        Ok(())
    }
}

/// The variable by which Cargo is told something of a target.
fn variable(target: &str, what: &str) -> String {
    let target = target.to_uppercase().replace('-', "_");
    format!("CARGO_TARGET_{target}_{what}")
}

/// Has Cargo run these programs in an emulator, without what takes minutes there.
fn emulate(command: &mut Command, target: &str, emulator: &str, tiers: &str, run: &str) {
    let root = project_root().display().to_string();
    command.env(
        variable(target, "RUNNER"),
        emulator.replace("{root}", &root),
    );
    // How a program starts itself again.
    if emulator.starts_with("qemu-") {
        command.env("SIVKA_TEST_EMULATOR", emulator);
    }
    if !tiers.is_empty() {
        command.env("SIVKA_REQUIRE_TIERS", tiers);
    }
    // The folder of settings of a program in Wine is not the user's.
    command.env("WINEPREFIX", project_root().join("target/wine"));
    command.env("WINEDEBUG", "-all");
    let (programs, tests) = run.split_once(" -- ").unwrap_or((run, ""));
    command.args(programs.split_whitespace()).args(locked());
    command.arg("--").args(tests.split_whitespace());
    command.args(TOO_SLOW.iter().flat_map(|test| ["--skip", test]));
}

/// A CPU of QEMU's of this kind: its name, its tiers, the next wider one, and whether it runs every
/// kernel. Where it has the tiers of another row and differs in what it lacks, only what is found
/// on it can differ.
struct Model(&'static str, &'static str, &'static str, bool);

const MODELS: [Model; 4] = [
    // No AES instructions at all.
    Model("Nehalem", "portable", "avx2", true),
    // AES-NI and PCLMULQDQ without AVX.
    Model("Westmere", "portable", "avx2", false),
    // The AVX2 tier and no more.
    Model("Haswell", "portable,avx2", "vaes256", true),
    // VAES without VPCLMULQDQ.
    Model("max", "portable,avx2", "vaes256", false),
];

/// What looks at what the CPU has. Programs are built as a part of the workspace, as
/// `cargo xtask test` builds them, or all would be compiled again: the words choose tests of `core`.
const DETECTION: Runs = &["--lib -- tier::", "--test dispatch"];
const KERNELS_HERE: Runs = &[
    "--lib -- kernel:: mode:: tier::",
    "--test conformance --test accumulated --test dispatch --test chacha20_blake2b --test published",
];

/// What every run of CI does: each CPU has its tiers found. Which instructions a tier has is
/// read in what is built (`cargo xtask instructions`).
pub(crate) fn detected() -> Tally {
    on_models(false)
}

/// Every kernel on emulated CPUs.
pub(crate) fn kernels() -> Tally {
    on_models(true)
}

fn on_models(with_kernels: bool) -> Tally {
    let mut tally = Tally::default();
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let failure = Failure::new("lesser CPUs are emulated on Linux on x86-64 only");
        tally.add_check("emulated CPUs", &Err(failure));
        return tally;
    }
    if !exists("qemu-x86_64") {
        tally.add_not_run("emulated CPUs", "qemu-x86_64 (Debian: qemu-user)");
        return tally;
    }
    for model in MODELS {
        let Model(name, tiers, wider, runs_kernels) = model;
        let runs = match with_kernels && runs_kernels {
            true => KERNELS_HERE,
            false => DETECTION,
        };
        tally.stage(&format!("{name}: {tiers}"), |part| {
            for run in runs {
                let tests = run_tests(name, &mut model.command(tiers, run));
                part.append(&format!("{name}: "), tests);
            }
            let name = format!("{name}: {wider} is not claimed");
            part.add_check(&name, &model.has_nothing_wider());
        });
    }
    tally
}

impl Model {
    fn command(&self, tiers: &str, run: &str) -> Command {
        let mut command = cargo(&["test", "--no-fail-fast"]);
        command.args(WORKSPACE);
        let emulator = format!("qemu-x86_64 -cpu {}", self.0);
        let here = "x86_64-unknown-linux-gnu";
        emulate(&mut command, here, &emulator, tiers, run);
        command
    }

    /// The one test that looks at `SIVKA_REQUIRE_TIERS` and at nothing else must fail when it is
    /// asked for one tier more than the CPU has, or the library claims instructions that it lacks.
    fn has_nothing_wider(&self) -> Result<(), Failure> {
        const TEST: &str = "required_tiers_are_here";
        let Self(_, tiers, wider, _) = *self;
        let run = |tiers: &str| {
            let mut command = self.command(tiers, &format!("--test dispatch -- --exact {TEST}"));
            let output = output(command.env("RUST_BACKTRACE", "0").stderr(Stdio::null()));
            let output = output.map_err(|e| Failure::new(e.to_string()))?;
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            Ok((output.status.success(), said))
        };
        let (passes, said) = run(tiers)?;
        if !passes || !said.contains("1 passed; 0 failed") {
            let why = format!("`{TEST}` does not pass with this CPU's tiers");
            return Err(Failure::new(why));
        }
        let (passes, said) = run(&format!("{tiers},{wider}"))?;
        // The name is in quotes that may themselves be escaped.
        let lacks = |line: &str| line.contains("lacks") && line.contains(wider);
        if passes || !said.lines().any(lacks) {
            let why = format!("`{wider}` is claimed, or `{TEST}` looks at nothing");
            return Err(Failure::new(why));
        }
        println!("asked for {wider} as well, `{TEST}` fails, as it must");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::files_in;

    #[test]
    fn no_test_of_core_is_left_out_in_parts() {
        let named = ALL_OF_CORE.concat().join(" ");
        for path in files_in(&project_root().join("core/tests")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            // It needs a feature that no other machine is tested with.
            if path.is_file() && name != "aead_traits" {
                assert!(named.split(' ').any(|word| word == name), "{name}");
            }
        }
    }
}
