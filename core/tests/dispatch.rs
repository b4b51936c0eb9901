//! Which tier runs.

use sivka::{Aes256GcmSiv, Algorithm, Tier};
use sivka_oracle::tiers::{KNOWN, check_required};
use std::env;
use std::process::Command;

fn available() -> Vec<&'static str> {
    Tier::available().map(Tier::name).collect()
}

/// CI names the tiers that a machine must have; one that is missing there would
/// otherwise pass every test by not being tested.
#[test]
fn required_tiers_are_here() {
    println!("tiers: {}", available().join(", "));
    if let Some(required) = env::var_os("SIVKA_REQUIRE_TIERS") {
        let required = required.into_string().expect("SIVKA_REQUIRE_TIERS is not UTF-8");
        check_required(&required, &available()).unwrap();
    }
}

/// Each available tier is known, once, the narrowest first, portable always.
#[test]
fn available_is_in_order() {
    let places: Vec<usize> = available()
        .into_iter()
        .map(|name| KNOWN.iter().position(|known| *known == name).expect("a known tier"))
        .collect();
    assert_eq!(places[0], 0, "portable comes first");
    assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
}

/// Those that are made for a given tier are in the conformance tests.
#[test]
fn a_key_runs_on_the_tier_that_is_detected() {
    for algorithm in Algorithm::all() {
        let key = algorithm.new_key(&vec![1; algorithm.key_len()]).unwrap();
        assert_eq!(key.tier_name(), Tier::detect().name(), "{algorithm}");
    }
}

/// Set for a child process of this test, which reports instead of testing.
const CHILD: &str = "SIVKA_TEST_REPORT_TIER";

/// The emulator that runs this test binary, if one does, with its arguments: the system
/// may not know that the binary needs one, or start it without, on another CPU.
const EMULATOR: &str = "SIVKA_TEST_EMULATOR";

/// This test binary, to be started anew.
fn this_binary() -> Command {
    let binary = env::current_exe().expect("this binary");
    let emulator = env::var(EMULATOR).unwrap_or_default();
    let mut words = emulator.split_whitespace();
    match words.next() {
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.args(words).arg(binary);
            command
        }
        None => Command::new(binary),
    }
}

/// What this test binary, started anew with `SIVKA_TIER` as given, says of its
/// tiers: those available and the one that a new key runs on.
fn tiers_of_child(sivka_tier: Option<&str>) -> (Vec<String>, String) {
    let mut child = this_binary();
    child.args(["--exact", "the_environment_lowers_and_never_raises", "--nocapture"]);
    child.env(CHILD, "1").env_remove("SIVKA_TIER");
    if let Some(name) = sivka_tier {
        child.env("SIVKA_TIER", name);
    }
    let output = child.output().expect("this binary starts again");
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).expect("text");
    let mut lines = stdout.lines();
    let report = lines.find_map(|line| line.strip_prefix("report: ")).expect("a report");
    let (available, key) = report.split_once(';').expect("two parts");
    (available.split(',').map(str::to_owned).collect(), key.to_owned())
}

/// Without the private feature the variable must mean nothing. With it, an available tier is
/// taken. A name that is not known, or not available (it may be a wider tier), is never taken
/// for more than the CPU can do.
#[test]
fn the_environment_lowers_and_never_raises() {
    if env::var_os(CHILD).is_some() {
        let key = Aes256GcmSiv::new(&[1; 32]);
        println!("\nreport: {};{}", available().join(","), key.tier_name());
        return;
    }
    let (available, key) = tiers_of_child(None);
    assert_eq!(Some(&key), available.last(), "without SIVKA_TIER");
    for name in KNOWN.into_iter().chain(["", "AVX2", "avx1024"]) {
        let (available, key) = tiers_of_child(Some(name));
        let expected = if !cfg!(feature = "__force_tier") {
            available.last().unwrap()
        } else if let Some(lowered) = available.iter().find(|tier| *tier == name) {
            lowered
        } else {
            &available[0]
        };
        assert_eq!(&key, expected, "SIVKA_TIER={name:?} of {available:?}");
    }
}
