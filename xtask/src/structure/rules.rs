//! The rules of ARCHITECTURE.md about source files, by the words and paths in them.
//!
//! The compiler holds the others: privacy, dependencies between crates, and `unsafe` only in files
//! that may say `allow(unsafe_code)`.

use std::collections::BTreeSet;

/// Everything that is wrong with a source file, a line each.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    // Comments may name anything. An address in a string ends there as well.
    let code = text.lines().map(|line| line.split("//").next());
    let code: Vec<&str> = code.map(Option::unwrap_or_default).collect();
    let mut found = Vec::from_iter(shape(path, code.len()));
    for rule in RULES.trim().lines() {
        let [files, except, words, why] = Vec::from_iter(rule.split(" | "))[..] else {
            unreachable!("each rule has four parts: {rule}");
        };
        if within(path, files) && !within(path, except) {
            let broken = code.iter().enumerate().filter(|(_, line)| has_word(line, words));
            found.extend(broken.map(|(at, _)| format!("{path}:{}: {why}", at + 1)));
        }
    }
    if let Some((_, lint)) = ROOTS.iter().find(|(root, _)| *root == path)
        && !code.contains(&format!("#![{lint}(unsafe_code)]").as_str())
    {
        found.push(format!("{path}: no {lint}(unsafe_code)"));
    }
    if let Some(file) = path.strip_prefix("core/src/") {
        let file = file.trim_end_matches(".rs");
        for name in paths(file, &code.join("\n")) {
            let why = import(file, &name);
            found.extend(why.map(|why| format!("{path}: `{name}`: {why}")));
        }
    }
    found
}

/// A file has the name of its content, and is short enough to be read at one sitting. Clippy finds
/// `mod.rs`. Lists of test cases may be longer; tables are named and exempt.
fn shape(path: &str, lines: usize) -> Option<String> {
    let limit = if path.contains("/src/") { 800 } else { 1000 };
    match path.rsplit('/').next().unwrap_or_default() {
        "utils.rs" | "util.rs" | "common.rs" | "misc.rs" | "helpers.rs" => {
            Some(format!("{path}: a file is named by the thing that it holds"))
        }
        name if lines > limit && !name.ends_with("_tables.rs") => {
            Some(format!("{path}: {lines} lines; {limit} is the limit"))
        }
        _ => None,
    }
}

/// The lint in the root of each shipped crate, which forbids `unsafe`, or allows it in some files.
const ROOTS: [(&str, &str); 5] = [
    ("core/src/lib.rs", "deny"),
    ("file/src/lib.rs", "forbid"),
    ("keyset/src/lib.rs", "forbid"),
    ("arrow/src/lib.rs", "forbid"),
    ("cli/src/main.rs", "forbid"),
];

/// A row is files, exceptions among them, the beginnings of words that no line of theirs may have,
/// in lower case, and the reason. Environment variables of tests do not ship.
const RULES: &str = "
    core/src/ | core/src/lib.rs core/src/tier core/src/per_thread core/src/random/page.rs core/src/kernel/chacha20_blake2b/avx512/beside.rs | unsafe_code | `unsafe` is only in `tier`, `per_thread`, `random/page.rs` and the kernel that is in assembly
    core/src/ file/ keyset/ arrow/ cli/ ffi/src/ | core/src/tier core/src/kernel/*/ | core::arch std::arch target_feature( | instruction sets are named in `kernel/<primitive>` and in `tier`
    core/src/ file/ keyset/ arrow/ cli/ ffi/src/ | core/src/tier core/src/kernel/ | target_feature | only `kernel` and `tier` ask for instruction sets
    core/src/kernel/*/portable | - | core::arch std::arch target_feature( | a portable kernel is code that any CPU runs
    core/src/kernel/*/avx2 core/src/kernel/*/vaes256 | - | avx512 m512 mm512 zmm | a kernel names no wider tier
    core/src/mode | - | aarch64 aesni avx bmi1 bmi2 gfni m128i mm128 mm256 mm512 neon pclmul pmull portable sse2 sse4 ssse3 target_arch target_feature vaes vpclmul x86 xmm ymm zmm | a mode names no tier and no instruction set
    file/src/ keyset/src/ arrow/src/ cli/src/ ffi/src/ | - | with_tier of_len_on_tier | a tier is chosen by hand in tests and benchmarks
    core/ file/ keyset/ arrow/ cli/ ffi/ bindings/ evidence/ | core/tests/main/aes_siv_openssl.rs keyset/tests/tink.rs | #[ignore | only tests for `cargo xtask tink` are ignored
    core/ file/ keyset/ arrow/ cli/ ffi/ bindings/ evidence/ | - | /home/ /root/ | a path of one machine
    core/src/ file/src/ keyset/src/ arrow/src/ ffi/src/ | core/src/tier/token.rs */tests.rs | std::env env:: | the environment is read in `core/src/tier/token.rs`";

/// Whether a path begins like one of these, in which `*` is anything.
fn within(path: &str, files: &str) -> bool {
    files.split_whitespace().any(|begin| match begin.split_once('*') {
        Some((begin, then)) => path.strip_prefix(begin).is_some_and(|rest| rest.contains(then)),
        None => path.starts_with(begin),
    })
}

fn has_word(line: &str, words: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    words.split(' ').any(|word| line.match_indices(word).any(|(at, _)| begins(at)))
}

// ---- core: who may import whom ------------------------------------------------

/// The paths from the top of the crate that a file names, with `self` and `super` resolved. Paths
/// in macros count as well, which a syntax tree does not show.
fn paths(file: &str, code: &str) -> BTreeSet<String> {
    let mut module: Vec<&str> = file.split('/').filter(|file| *file != "lib").collect();
    // Of each open brace, the path before it, if it is one of a `use`; and whether it is a module's.
    let mut open: Vec<(Vec<&str>, bool)> = Vec::new();
    let (tokens, mut found) = (tokens(code), BTreeSet::new());
    let mut rest = tokens.as_slice();
    let is_word = |token: &str| token.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    while let [token, after @ ..] = rest {
        rest = after;
        match (*token, after) {
            ("mod", [name, "{", tail @ ..]) => {
                module.push(name);
                open.push((Vec::new(), true));
                rest = tail;
            }
            ("{", _) => open.push((Vec::new(), false)),
            ("}", _) => {
                drop(open.pop().filter(|(_, is_module)| *is_module && module.pop().is_some()));
            }
            ("as", [_, tail @ ..]) => rest = tail,
            (word, _) if is_word(word) => {
                let mut path = open.last().map_or(Vec::new(), |(path, _)| path.clone());
                // `a::{self}` is `a`.
                path.extend((path.is_empty() || word != "self").then_some(word));
                while let ["::", next, tail @ ..] = rest
                    && (is_word(next) || *next == "*")
                {
                    path.push(next);
                    rest = tail;
                }
                match rest {
                    ["::", "{", tail @ ..] => {
                        open.push((path, false));
                        rest = tail;
                    }
                    _ => found.extend(resolved(&path, &module)),
                }
            }
            _ => {}
        }
    }
    found
}

/// Words, `::`, and whatever else is no space.
fn tokens(code: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), code);
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let len = match word.unwrap_or(rest.len()) {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            word => word,
        };
        tokens.extend(Some(&rest[..len]).filter(|token| !token.trim().is_empty()));
        rest = &rest[len..];
    }
    tokens
}

fn resolved(path: &[&str], module: &[&str]) -> Option<String> {
    let anchors = path.iter().take_while(|word| ["crate", "self", "super"].contains(word));
    let (anchors, rest) = path.split_at(anchors.count());
    let climbs = anchors.iter().filter(|word| **word == "super").count();
    let from = match *anchors.first()? {
        "crate" => &[],
        _ => &module[..module.len().saturating_sub(climbs)],
    };
    Some([&["crate"], from, rest].concat().join("::"))
}

/// A wider one is called with a token that a narrower one cannot make.
const TIERS: [&str; 5] = ["portable", "avx2", "vaes256", "avx512", "neon"];

/// Files that may name the types behind a kernel's traits.
const BEHIND_TRAITS: [(&str, &str); 7] = [
    // Kernels that fuse others: to interleave these is their purpose.
    ("kernel/aes_siv", "kernel::aes"),
    ("kernel/chacha20_blake2b", "kernel::blake2b"),
    ("kernel/chacha20_blake2b", "kernel::chacha20"),
    ("kernel/gcm_siv", "kernel::aes"),
    ("kernel/gcm_siv", "kernel::polyval"),
    // One portable carry-less multiplication serves two fields, and one set of vectors all.
    ("kernel/mgm_multiply", "kernel::polyval"),
    ("kernel", "kernel::vector"),
];

/// Judges a path into the crate, named in a file of `core/src`. Files outside of `tier`, `kernel`
/// and `mode` belong to keys.
fn import(file: &str, path: &str) -> Option<&'static str> {
    let path = path.strip_prefix("crate::")?;
    let from: Vec<&str> = file.split('/').collect();
    let to: Vec<&str> = path.split("::").collect();
    let excepted = |(f, p): &(&str, &str)| file.starts_with(f) && path.starts_with(p);
    let sees = is_kernel_item(&to) || BEHIND_TRAITS.iter().any(excepted);
    // `kernel.rs` itself declares the rows, and is of all of them.
    let same_primitive = from.iter().zip(&to).take(2).all(|(a, b)| a == b);
    match (from[0], to[0]) {
        ("tier" | "kernel", "tier") => None,
        ("tier", _) => Some("`tier` imports nothing of ours"),
        ("kernel", "kernel") if sees || same_primitive => None,
        ("kernel", "kernel") => Some("a kernel sees another primitive through its trait only"),
        ("kernel", _) => Some("a kernel imports `tier` and its own primitive, nothing above"),
        ("mode", "tier") if to.get(1) == Some(&"secret") => None,
        ("mode", "tier") => Some("a mode imports `tier::secret` and nothing else of `tier`"),
        ("mode", "kernel") if is_kernel_item(&to) => None,
        ("mode", "kernel") => Some("a mode sees a kernel's traits and types, nothing behind them"),
        ("mode", "mode") => None,
        ("mode", _) => Some("a mode imports nothing from above"),
        (_, "kernel") if sees => None,
        (_, "kernel") => Some("a key sees a kernel's traits only; what it does is the mode's"),
        (_, "tier") if to.get(1) == Some(&"kernel") => {
            Some("`kernel!` is for kernels: a key is compiled for every CPU")
        }
        _ => None,
    }
}

/// Whether a path leads to a trait, a type or a constant of a kernel, by the case of its first
/// letter, and through no tier's module: `kernel::Block`, `kernel::aes::Aes`.
fn is_kernel_item(to: &[&str]) -> bool {
    let is_item = |name: &&str| name.starts_with(|c: char| c.is_ascii_uppercase());
    to.iter().any(is_item) && !to.iter().any(|module| TIERS.contains(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line is `file | snippet | words of a complaint`, which are missing where there shall be
    /// none.
    #[test]
    fn each_rule_finds_what_breaks_it() {
        let cases = r#"
            core/src/tier/token.rs | use crate::kernel::Block; | nothing of ours
            core/src/tier.rs | use super::mode::gcm_siv; | nothing of ours
            core/src/tier/token.rs | use super::{cpu::Features, secret}; use core::fmt;
            core/src/kernel/aes.rs | use crate::error::Error; | nothing above
            core/src/kernel/aes/avx2.rs | use crate::kernel::{polyval::{avx2::f, P}}; | its trait only
            core/src/kernel/aes/avx2.rs | macro_rules! m { () => { $crate::mode::f() } } | nothing above
            core/src/kernel/aes/avx2.rs | mod a { use super::super::{super::polyval::f}; } | its trait only
            core/src/kernel/aes/avx2.rs | mod a { use super::f; } use super::Aes as A; fn g() {}
            core/src/kernel/gcm_siv/avx2.rs | use crate::kernel::aes::avx2::encrypt;
            core/src/kernel/aes/avx2.rs | use crate::tier::Avx2; pub(in crate::kernel) fn f() {}
            core/src/kernel.rs | fn f() { self::aes::avx2::g() }
            core/src/kernel/aes.rs | use super::polyval::avx2::Key; | its trait only
            core/src/mode/gcm_siv.rs | use crate::tier::Token; | `tier::secret`
            core/src/mode/gcm_siv.rs | use crate::error::Error; | nothing from above
            core/src/mode/gcm_siv.rs | use crate::kernel::aes::*; | traits and types
            core/src/mode/gcm_siv.rs | use crate::tier::secret::wipe; use super::mgm::MAX;
            core/src/mode/gcm_siv.rs | use crate::kernel::{self, Block}; | traits and types
            core/src/mode/gcm_siv/batch.rs | use crate::kernel::gcm_siv::lanes::{N, Message};
            core/src/aead.rs | use crate::kernel; | traits only
            core/src/aead.rs | crate::tier::kernel! { fn f(tier: Avx2) {} } | for every CPU
            core/src/aead.rs | use crate::{error::Error, mode::mgm::Mgm, kernel::aes::Aes};
            core/src/aead.rs | #[allow(unsafe_code)] mod a; | `unsafe` is only
            core/src/tier.rs | #[allow(unsafe_code)] mod a; /// crate::mode::f
            cli/src/main.rs | mod a; | no forbid(unsafe_code)
            cli/src/main.rs | #![forbid(unsafe_code)]
            core/src/aead.rs | use core::arch::x86_64::*; | instruction sets
            core/src/kernel/aes.rs | use std::arch::asm; | instruction sets
            file/src/chunk.rs | #[target_feature(enable = "a")] fn f() {} | instruction sets
            core/src/kernel/aes/portable.rs | use core::arch::asm; | any CPU runs
            core/src/kernel/aes.rs | #[cfg(target_feature = "sse2")] mod avx2;
            core/src/aead.rs | #[cfg(target_feature = "sse2")] mod a; | ask for instruction sets
            core/src/kernel/aes/vaes256.rs | fn f(a: __m512i) {} | no wider tier
            core/src/kernel/aes/avx512.rs | use core::arch::x86_64::*;
            core/src/mode/mgm.rs | fn f(t: Avx2) {} | names no tier
            core/src/mode/mgm.rs | const A: &str = "x86_64"; | names no tier
            core/src/mode/mgm.rs | fn assert_tag_len() {} // faster with AVX2
            file/src/chunk.rs | fn f() { K::with_tier(k, t); } | tests and benchmarks
            ffi/tests/matrix/rust.rs | fn f() { K::with_tier(k, t); }
            file/src/lib.rs | use std::env; #![forbid(unsafe_code)] | the environment
            ffi/src/key.rs | fn f() { env::var("A"); } | the environment
            file/tests/format.rs | #[ignore = "slow"] | are ignored
            core/src/tier/token.rs | fn f() { std::env::var("A"); env!("B") }
            core/src/utils.rs | mod a; | named by the thing"#;
        for case in cases.trim().lines().map(str::trim) {
            let parts: Vec<&str> = case.split(" | ").collect();
            let found = check(parts[0], parts[1]).join("\n");
            match parts.get(2) {
                Some(words) => assert!(found.contains(words), "{case}: {found}"),
                None => assert_eq!(found, "", "{case}"),
            }
        }
        let lines = |path: &str, count: usize| check(path, &"\n".repeat(count)).join("");
        assert!(lines("core/src/error.rs", 801).contains("801 lines"));
        assert_eq!(lines("core/src/kernel/aes/pi_tables.rs", 801), "");
        assert_eq!(lines("file/tests/format.rs", 1000), "");
    }
}
