//! Each rule against a snippet that breaks it, and one beside it that does not.

use super::*;

fn complaints(path: &str, text: &str) -> Vec<String> {
    let mut report = Report::default();
    check_source(&Source::parse(path, text), &mut report);
    report.violations.into_iter().map(|v| v.message).collect()
}

#[track_caller]
fn breaks(path: &str, text: &str, words: &str) {
    let found = complaints(path, text);
    assert!(
        found.len() == 1 && found[0].contains(words),
        "wanted one complaint with {words:?}, found {found:?}"
    );
}

#[track_caller]
fn holds(path: &str, text: &str) {
    assert_eq!(complaints(path, text), [""; 0]);
}

fn manifest_complaints(path: &str, text: &str) -> Vec<String> {
    let mut report = Report::default();
    check_manifest(&Manifest::parse(path, text), &mut report);
    report.violations.into_iter().map(|v| v.message).collect()
}

#[test]
fn tier_imports_nothing_of_ours() {
    breaks(
        "core/src/tier/token.rs",
        "use crate::kernel::Block;",
        "nothing of ours",
    );
    breaks(
        "core/src/tier/token.rs",
        "use super::super::error::Error;",
        "nothing of ours",
    );
    breaks(
        "core/src/tier.rs",
        "use super::mode::gcm_siv;",
        "nothing of ours",
    );
    holds(
        "core/src/tier/token.rs",
        "use super::{cpu::Features, secret}; use core::fmt;",
    );
}

#[test]
fn kernel_imports_tier_and_its_own_primitive() {
    breaks(
        "core/src/kernel/aes.rs",
        "use crate::error::Error;",
        "nothing above",
    );
    breaks(
        "core/src/kernel/aes/avx2.rs",
        "use crate::mode::gcm_siv::MAX_LEN;",
        "nothing above",
    );
    breaks(
        "core/src/kernel/aes/avx2.rs",
        "use crate::kernel::polyval::avx2::multiply;",
        "through its trait only",
    );
    breaks(
        "core/src/kernel/gcm_siv/avx2.rs",
        "use crate::kernel::chacha20::avx2::block;",
        "through its trait only",
    );
    holds(
        "core/src/kernel/gcm_siv/avx2.rs",
        "use crate::kernel::aes::avx2::encrypt;",
    );
    holds(
        "core/src/kernel/aes/avx2.rs",
        "use super::Aes; use crate::kernel::{Block, polyval::Polyval}; use crate::tier::Avx2;",
    );
}

#[test]
fn mode_imports_traits_and_secret() {
    breaks(
        "core/src/mode/gcm_siv.rs",
        "use crate::tier::Token;",
        "`tier::secret`",
    );
    breaks(
        "core/src/mode/gcm_siv.rs",
        "use crate::error::Error;",
        "nothing from above",
    );
    breaks(
        "core/src/mode/gcm_siv.rs",
        "use crate::kernel::aes::*;",
        "traits and types",
    );
    breaks(
        "core/src/mode/gcm_siv.rs",
        "use crate::kernel::aes::portable::Aes;",
        "traits and types",
    );
    breaks(
        "core/src/mode/gcm_siv.rs",
        "use crate::kernel as k;",
        "traits and types",
    );
    breaks(
        "core/src/mode/gcm_siv.rs",
        "fn f() { crate::kernel::aes::round_keys::expand() }",
        "traits and types",
    );
    holds(
        "core/src/mode/gcm_siv.rs",
        "use crate::kernel::{Block, aes::Aes}; use crate::tier::secret::wipe; use subtle::Choice;",
    );
    holds(
        "core/src/mode/gcm_siv/batch.rs",
        "use crate::kernel::gcm_siv::lanes::{MESSAGES, Message};",
    );
}

#[test]
fn keys_see_traits_only() {
    breaks(
        "core/src/aes_gcm_siv.rs",
        "use crate::kernel::aes::avx2::expand;",
        "traits only",
    );
    holds(
        "core/src/aes_gcm_siv.rs",
        "use crate::kernel::aes::Aes; use crate::mode::gcm_siv;",
    );
    holds(
        "core/src/lib.rs",
        "#![deny(unsafe_code)] mod kernel; pub use tier::Tier;",
    );
}

#[test]
fn unsafe_stays_in_its_rooms() {
    breaks(
        "core/src/mode/gcm_siv.rs",
        "fn f() { unsafe { g() } }",
        "`unsafe`",
    );
    breaks(
        "core/src/aes_gcm_siv.rs",
        "unsafe impl Send for K {}",
        "`unsafe`",
    );
    breaks("oracle/src/aes.rs", "fn f() { unsafe { g() } }", "`unsafe`");
    breaks("file/src/reader.rs", "#![allow(unsafe_code)]", "lowered");
    holds("core/src/kernel/aes/avx2.rs", "fn f() { unsafe { g() } }");
    holds(
        "file/src/reader.rs",
        "// unsafe\nconst S: &str = \"unsafe\";",
    );
}

#[test]
fn intrinsics_stay_in_their_rooms() {
    breaks(
        "core/src/aes_gcm_siv.rs",
        "use core::arch::x86_64::*;",
        "`core::arch`",
    );
    breaks(
        "core/src/kernel/aes.rs",
        "use core::arch::x86_64::*;",
        "`core::arch`",
    );
    breaks(
        "core/src/kernel/aes/portable.rs",
        "use std::arch::asm;",
        "`core::arch`",
    );
    breaks(
        "file/src/chunk.rs",
        "#[target_feature(enable = \"a\")] fn f() {}",
        "`target_feature`",
    );
    holds(
        "core/src/kernel/aes/avx512.rs",
        "use core::arch::x86_64::*;",
    );
    holds(
        "core/src/tier/bytes.rs",
        "#[target_feature(enable = \"avx2\")] fn f() {}",
    );
}

#[test]
fn portable_has_no_unsafe() {
    breaks(
        "core/src/kernel/aes/portable.rs",
        "fn f() { unsafe { g() } }",
        "portable kernel",
    );
    breaks(
        "core/src/kernel/aes/portable/sbox.rs",
        "unsafe fn f() {}",
        "portable kernel",
    );
}

#[test]
fn modes_name_no_tier_and_no_machine() {
    breaks("core/src/mode/mgm.rs", "fn f(t: Avx2) {}", "`Avx2`");
    breaks(
        "core/src/mode/mgm.rs",
        "fn f() { _mm256_add() }",
        "`_mm256_add`",
    );
    breaks(
        "core/src/mode/mgm.rs",
        "#[cfg(target_arch = \"any\")] fn f() {}",
        "`target_arch`",
    );
    breaks(
        "core/src/mode/mgm.rs",
        "const A: &str = \"x86_64\";",
        "`x86_64`",
    );
    breaks("core/src/mode/mgm.rs", "struct Portable;", "`Portable`");
    holds(
        "core/src/mode/mgm.rs",
        "// faster with AVX2\nfn assert_tag_len() {}",
    );
}

#[test]
fn a_narrow_tier_never_calls_a_wide_one() {
    breaks(
        "core/src/kernel/aes/avx2.rs",
        "use super::avx512::ctr;",
        "wider tier `avx512`",
    );
    breaks(
        "core/src/kernel/aes/portable/sbox.rs",
        "use super::super::avx2::s;",
        "wider tier",
    );
    holds("core/src/kernel/aes/avx512.rs", "use super::avx2::ctr;");
}

#[test]
fn file_cli_and_bench_use_the_public_api() {
    breaks(
        "file/src/chunk.rs",
        "fn f() { K::with_tier(k, t); }",
        "`with_tier`",
    );
    breaks(
        "cli/src/run.rs",
        "#[path = \"../../core/src/tag.rs\"] mod tag;",
        "spliced in",
    );
    breaks(
        "bench/src/main.rs",
        "include!(\"../../core/src/tag.rs\");",
        "spliced in",
    );
    holds("bench/src/main.rs", "fn f() { K::with_tier(k, t); }");
    holds(
        "file/examples/a.rs",
        "#[path = \"../tests/suite/b.rs\"] mod b;",
    );
    holds("cli/src/run.rs", "fn f() { let path = 1; }");
}

#[test]
fn the_oracle_stands_alone() {
    breaks(
        "oracle/src/suite.rs",
        "use sivka::Tier;",
        "the oracle names `sivka`",
    );
    breaks(
        "oracle/tests/a.rs",
        "use sivka_file as f;",
        "the oracle names `sivka_file`",
    );
    holds("oracle/src/suite.rs", "use crate::aes::Aes;");
}

#[test]
fn the_environment_is_read_behind_the_private_feature_only() {
    breaks(
        "core/src/tier/token.rs",
        "fn f() { std::env::var_os(\"A\"); }",
        "environment",
    );
    breaks(
        "file/src/lib.rs",
        "#![forbid(unsafe_code)] use std::env;",
        "environment",
    );
    breaks(
        "core/src/tier/token.rs",
        "#[cfg(feature = \"std\")] fn f() { std::env::var_os(\"A\"); }",
        "environment",
    );
    holds(
        "core/src/tier/token.rs",
        "#[cfg(feature = \"__force_tier\")] if let Some(a) = std::env::var_os(\"A\") { g(); }",
    );
}

#[test]
fn crate_roots_say_it() {
    breaks(
        "file/src/lib.rs",
        "//! Text.",
        "`#![forbid(unsafe_code)]` is missing",
    );
    breaks(
        "core/src/lib.rs",
        "#![warn(unsafe_code)]\n#![deny(unsafe_code)]",
        "lowered",
    );
    holds("core/src/lib.rs", "#![deny(unsafe_code)]");
}

#[test]
fn files_are_named_by_what_they_hold() {
    breaks("cli/src/out/mod.rs", "", "never in `mod.rs`");
    breaks("core/src/utils.rs", "", "named by the thing");
}

#[test]
fn files_stay_readable() {
    breaks("core/src/error.rs", &"//\n".repeat(801), "801 lines");
    holds(
        "core/src/kernel/kuznyechik/round_tables.rs",
        &"//\n".repeat(801),
    );
    breaks("file/tests/suite.rs", &"//\n".repeat(1001), "1001 lines");
    holds("file/tests/suite.rs", &"//\n".repeat(900));
}

const TAIL: &str = "\n[package]\npublish = false\n[lints]\nworkspace = true\n";

#[test]
fn manifests_keep_the_crates_apart() {
    let found = |path: &str, text: &str| manifest_complaints(path, &format!("{text}{TAIL}"));
    let refused = found(
        "oracle/Cargo.toml",
        "[dev-dependencies]\nsivka.workspace = true",
    );
    assert_eq!(refused, ["`oracle` may not depend on `sivka`"]);
    let refused = found(
        "core/Cargo.toml",
        "[dependencies]\nsivka-oracle = { workspace = true }",
    );
    assert_eq!(refused, ["`core` may not depend on `sivka-oracle`"]);
    let refused = found(
        "xtask/Cargo.toml",
        "[dependencies.sivka]\npath = \"../core\"",
    );
    assert_eq!(refused, ["`xtask` may not depend on `sivka`"]);
    let private = "[dependencies]\nsivka = { workspace = true, features = [\"__force_tier\"] }";
    let refused = found("cli/Cargo.toml", private);
    assert_eq!(refused, ["`cli` turns on a private feature of `sivka`"]);
    let refused = found(
        "core/Cargo.toml",
        "[features]\ndefault = [\n\"__ctgrind\",\n]",
    );
    assert_eq!(refused, ["a private feature is on by default"]);
    let refused = found("shiny/Cargo.toml", "");
    assert_eq!(refused.len(), 1);
    let allowed =
        "[dependencies]\nsivka.workspace = true\n[dev-dependencies]\nsivka-oracle.workspace = true";
    assert_eq!(found("file/Cargo.toml", allowed), [""; 0]);
}

#[test]
fn manifests_inherit_the_lints_and_say_what_ships() {
    let refused = manifest_complaints("bench/Cargo.toml", "[package]\nname = \"x\"\n");
    assert_eq!(
        refused,
        [
            "`publish = false` is missing",
            "the workspace's lints are not inherited"
        ]
    );
}
