//! Each rule against snippets that break it, and beside them some that do not.

use super::*;

/// A line is `file | snippet | words of a complaint`, which are missing where there shall
/// be none.
#[track_caller]
fn judge(cases: &str) {
    for case in cases.lines().map(str::trim).filter(|case| !case.is_empty()) {
        let parts: Vec<&str> = case.split(" | ").collect();
        let [path, text, words @ ..] = &parts[..] else {
            panic!("{case}");
        };
        let found = complaints(path, text);
        let holds = match words.first() {
            Some(words) => found.iter().any(|complaint| complaint.contains(words)),
            None => found.is_empty(),
        };
        assert!(holds, "{case}: found {found:?}");
    }
}

fn complaints(path: &str, text: &str) -> Vec<String> {
    check(&Source::parse(path, text).unwrap())
}

#[test]
fn tier_imports_nothing_of_ours() {
    judge(
        "core/src/tier/token.rs | use crate::kernel::Block; | nothing of ours
         core/src/tier.rs | use super::mode::gcm_siv; | nothing of ours
         core/src/tier/token.rs | use super::{cpu::Features, secret}; use core::fmt;",
    );
}

#[test]
fn kernel_imports_tier_and_its_own_primitive() {
    judge(
        "core/src/kernel/aes.rs | use crate::error::Error; | nothing above
         core/src/kernel/aes/avx2.rs | use crate::kernel::polyval::avx2::multiply; | its trait only
         core/src/kernel/gcm_siv/avx2.rs | use crate::kernel::aes::avx2::encrypt;
         core/src/kernel/aes/avx2.rs | use super::Aes; use crate::kernel::{Block, polyval::Polyval};
         core/src/kernel/aes/avx2.rs | use crate::tier::Avx2; pub(in crate::kernel) fn f() {}
         core/src/kernel.rs | fn f() { self::aes::avx2::g() }",
    );
}

#[test]
fn mode_imports_traits_and_secret() {
    judge(
        "core/src/mode/gcm_siv.rs | use crate::tier::Token; | `tier::secret`
         core/src/mode/gcm_siv.rs | use crate::error::Error; | nothing from above
         core/src/mode/gcm_siv.rs | use crate::kernel::aes::*; | traits and types
         core/src/mode/gcm_siv.rs | fn f() { crate::kernel::aes::round_keys::expand() } | traits and types
         core/src/mode/gcm_siv.rs | use crate::kernel::{Block, aes::Aes}; use subtle::Choice;
         core/src/mode/gcm_siv.rs | use crate::tier::secret::wipe; use super::mgm::MAX;
         core/src/mode/gcm_siv/batch.rs | use crate::kernel::gcm_siv::lanes::{MESSAGES, Message};",
    );
}

#[test]
fn keys_see_traits_only() {
    judge(
        "core/src/aes_gcm_siv.rs | use crate::kernel::aes::avx2::expand; | traits only
         core/src/aead.rs | use crate::kernel; | traits only
         core/src/aes_gcm_siv.rs | crate::tier::kernel! { fn f(tier: Avx2) {} } | compiled for every CPU
         core/src/aes_gcm_siv.rs | use crate::kernel::aes::Aes; use crate::mode::gcm_siv;
         core/src/aead/engine.rs | use crate::{error::Error, mode::mgm::Mgm, tier::Token, aead::Aead};
         core/src/lib.rs | #![deny(unsafe_code)] mod kernel; pub use tier::Tier;",
    );
}

#[test]
fn a_narrow_tier_never_calls_a_wide_one() {
    judge(
        "core/src/kernel/aes/avx2.rs | use super::avx512::ctr; | calls no wider one
         core/src/kernel/aes/avx512.rs | use super::avx2::ctr;",
    );
}

#[test]
fn unsafe_stays_in_its_rooms() {
    judge(
        "core/src/mode/gcm_siv.rs | fn f() { unsafe { g() } } | only in `kernel`
         core/src/aead/engine.rs | macro_rules! m { () => { unsafe { g() } } } | only in `kernel`
         file/tests/format.rs | #[unsafe(no_mangle)] fn f() {} | only in `kernel`
         core/src/kernel/aes/portable.rs | fn f() { unsafe { g() } } | portable kernel
         core/src/kernel/aes/avx2.rs | fn f() { unsafe { g() } }
         file/src/reader.rs | const S: &str = \"unsafe\"; /// unsafe",
    );
}

#[test]
fn intrinsics_stay_in_their_rooms() {
    judge(
        "core/src/aes_gcm_siv.rs | use core::arch::x86_64::*; | instruction sets
         core/src/kernel/aes/portable.rs | use std::arch::asm; | instruction sets
         file/src/chunk.rs | #[target_feature(enable = \"a\")] fn f() {} | instruction sets
         keyset/src/rotation.rs | fn enable(key: Key) { key.enable() }
         core/src/kernel/aes.rs | #[cfg(target_feature = \"sse2\")] mod avx2;
         core/src/kernel/aes/avx512.rs | use core::arch::x86_64::*;
         core/src/tier/bytes.rs | #[target_feature(enable = \"avx2\")] fn f() {}",
    );
}

#[test]
fn modes_name_no_tier_and_no_machine() {
    judge(
        "core/src/mode/mgm.rs | fn f(t: Avx2) {} | `Avx2`
         core/src/mode/mgm.rs | #[cfg(target_arch = \"any\")] fn f() {} | `target_arch`
         core/src/mode/mgm.rs | const A: &str = \"x86_64\"; | `\"x86_64\"`
         core/src/mode/mgm.rs | fn f() { a::pclmul() } | `pclmul`
         core/src/mode/mgm.rs | fn assert_tag_len() {} /// faster with AVX2",
    );
}

#[test]
fn the_other_crates_use_the_public_api() {
    judge(
        "file/src/chunk.rs | fn f() { K::with_tier(k, t); } | tests and benchmarks
         cli/src/run.rs | #[path = \"../../core/src/tag.rs\"] mod tag; | public API
         evidence/bench/src/main.rs | include!(concat!(A, \"/../core/src/tag.rs\")); | public API
         evidence/bench/src/main.rs | fn f() { K::with_tier(k, t); }
         ffi/tests/matrix/rust.rs | fn f() { K::with_tier(k, t); }
         file/examples/a.rs | #[path = \"../tests/format/b.rs\"] mod b;",
    );
}

#[test]
fn the_environment_is_read_in_one_file() {
    judge(
        "core/src/tier.rs | fn f() { std::env::var_os(\"A\"); } | the environment
         file/src/lib.rs | use std::env; | the environment
         ffi/src/key.rs | fn f() { env::var(\"A\"); } | the environment
         core/src/tier/token.rs | fn f() { std::env::var(\"A\"); }
         cli/src/main.rs | use std::env;",
    );
}

#[test]
fn files_are_named_by_what_they_hold_and_stay_readable() {
    judge(
        "cli/src/out/mod.rs | mod a; | never in `mod.rs`
         core/src/utils.rs | mod a; | named by the thing",
    );
    let long = |path: &str, lines: usize| complaints(path, &"//\n".repeat(lines));
    assert!(long("core/src/error.rs", 801)[0].contains("801 lines"));
    assert!(long("file/tests/format.rs", 1001)[0].contains("1001 lines"));
    assert_eq!(
        long("core/src/kernel/kuznyechik/round_tables.rs", 801),
        [""; 0]
    );
    assert_eq!(long("file/tests/format.rs", 900), [""; 0]);
}
