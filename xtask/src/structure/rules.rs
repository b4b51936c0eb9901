//! The rules of ARCHITECTURE.md about source files, judged name by name.
//!
//! What others hold is not repeated here. The compiler: what is private stays private, and
//! a crate that is no dependency (`manifest.rs`) cannot be named. `forbid(unsafe_code)` in
//! the roots of `file`, `keyset`, `cli`, `oracle` and `xtask`: no macro brings `unsafe` in
//! either.

use super::source::{Name, Source};

/// Everything that is wrong with a source file, a line each: where, and what rule it breaks.
pub(crate) fn check(source: &Source) -> Vec<String> {
    let path = source.path.as_str();
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| (rule.files)(path)).collect();
    let shape = shape(source).map(|why| format!("{path}: {why}"));
    let mut violations = Vec::from_iter(shape);
    for name in &source.names {
        let broken = rules.iter().filter(|rule| (rule.breaks)(name));
        let complaints = broken.map(|rule| rule.why).chain(import(path, &name.text));
        let (line, text) = (name.line, &name.text);
        violations.extend(complaints.map(|why| format!("{path}:{line}: `{text}`: {why}")));
    }
    violations
}

/// Names and sizes of files: one that is named for what it holds, and can be read at one
/// sitting. Lists of test cases may be longer; tables are named and exempt.
fn shape(source: &Source) -> Option<String> {
    let name = source.path.rsplit('/').next().unwrap_or_default();
    let is_test = !source.path.contains("/src/");
    let limit = if is_test { 1000 } else { 800 };
    match name {
        "mod.rs" => Some("a module `foo` stands in `foo.rs`, never in `mod.rs`".to_owned()),
        "utils.rs" | "util.rs" | "common.rs" | "misc.rs" | "helpers.rs" => {
            Some("a file is named by the thing that it holds".to_owned())
        }
        _ if source.lines > limit && !name.ends_with("_tables.rs") => {
            Some(format!("{} lines; {limit} is the limit", source.lines))
        }
        _ => None,
    }
}

// ---- what may be named where -------------------------------------------------

/// Names that may not be in some files.
struct Rule {
    files: fn(&str) -> bool,
    breaks: fn(&Name) -> bool,
    why: &'static str,
}

const RULES: [Rule; 7] = [
    Rule {
        files: |path| !within(path, UNSAFE),
        breaks: |name| name.text == "unsafe",
        why: "it stands only in `kernel`, `tier`, `random/page.rs`, `ffi`, `bindings/go/blob`, `bindings/python` and some of `evidence`",
    },
    Rule {
        files: is_portable_kernel,
        breaks: |name| name.text == "unsafe",
        why: "a portable kernel is code that any CPU runs and any reader can check",
    },
    Rule {
        files: |path| !may_name_intrinsics(path),
        breaks: |name| {
            let is_arch = is_path(name, &["core", "arch"]) || is_path(name, &["std", "arch"]);
            // What the attribute `target_feature` does; a `cfg` of that name only asks.
            is_arch || name.text == "enable ="
        },
        why: "instruction sets stand only in `kernel/<primitive>` and in `tier`",
    },
    Rule {
        files: |path| within(path, "core/src/mode"),
        breaks: is_machine,
        why: "a mode names no tier and no instruction set",
    },
    Rule {
        files: |path| within(path, "file/ keyset/ cli/ ffi/") && !path.contains("/tests/"),
        breaks: |name| name.text == "with_tier",
        why: "a tier is chosen by hand in tests and benchmarks only",
    },
    Rule {
        files: |path| within(path, "file/ keyset/ cli/ ffi/ evidence/bench/"),
        breaks: |name| {
            // `#[path = "../../core/src/tag.rs"]`, or the same in `include!`.
            let text = name.text.as_str();
            text.contains("../") && text.contains("/src/") && text.ends_with(".rs\"")
        },
        why: "another crate's source is no public API",
    },
    Rule {
        files: |path| {
            // What tests read does not ship. That nothing reads it without the feature
            // `__force_tier`, `core/tests/dispatch.rs` sees.
            within(path, "core/src/ file/src/ keyset/src/ ffi/src/")
                && !path.ends_with("/tests.rs")
                && path != "core/src/tier/token.rs"
        },
        breaks: |name| is_path(name, &["std", "env"]) || is_path(name, &["env"]),
        why: "the environment is read in `core/src/tier/token.rs` only",
    },
];

/// Where `unsafe` may be. Tests that read memory after a drop, what watches processes, and
/// what benchmarks, fuzz targets and watched calls call behind a C interface, need it; nothing
/// of that ships.
const UNSAFE: &str = "core/src/tier core/src/kernel core/src/random/page.rs core/tests/ ffi/ bindings/go/blob/ bindings/python/src/ evidence/bench/ evidence/fuzz/ \
    evidence/leaks/src/trace/ evidence/leaks/src/calls/interface evidence/leaks/src/kernels/ evidence/leaks/src/main.rs evidence/leaks/src/zeroization/hold.rs evidence/leaks/src/zeroization/process.rs evidence/leaks/planted.rs evidence/judge/src/conformance/guarded.rs";

fn within(path: &str, folders: &str) -> bool {
    folders.split(' ').any(|folder| path.starts_with(folder))
}

/// Whether instruction sets may be named by their intrinsics in this file. Tests of wiping
/// read registers.
fn may_name_intrinsics(path: &str) -> bool {
    let inner = path.strip_prefix("core/src/kernel/");
    let in_primitive = inner.is_some_and(|inner| inner.contains('/')) && !is_portable_kernel(path);
    in_primitive
        || within(
            path,
            "core/src/tier/ core/tests/ bindings/go/blob/ evidence/bench/ evidence/fuzz/ evidence/leaks/src/trace/ evidence/leaks/src/zeroization/hold.rs",
        )
}

fn is_portable_kernel(path: &str) -> bool {
    let mut parts = path.split(['/', '.']);
    path.starts_with("core/src/kernel/") && parts.any(|part| part == "portable")
}

/// Whether a name is a path that starts with these segments.
fn is_path(name: &Name, start: &[&str]) -> bool {
    let segments: Vec<&str> = name.text.split("::").collect();
    segments.len() > 1 && segments.starts_with(start)
}

/// The beginnings of words that only a program for one machine would use.
const MACHINES: &str = "aarch64 aesni avx bmi1 bmi2 gfni m128i mm128 mm256 mm512 neon pclmul pmull \
    portable sse2 sse4 ssse3 target_arch target_feature vaes vpclmul x86 xmm ymm zmm";

fn is_machine(name: &Name) -> bool {
    // The words of a path are names of their own.
    let is_path = name.text.contains("::");
    let words = name.text.to_ascii_lowercase();
    let words = words.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let names = |machine: &str| format!("_{words}").contains(&format!("_{machine}"));
    !is_path && MACHINES.split(' ').any(names)
}

// ---- core: who may import whom ------------------------------------------------

/// The narrower tier before the wider. `neon` is of another family.
const TIERS: [&str; 5] = ["portable", "avx2", "vaes256", "avx512", "neon"];

/// Which files may name what is behind a kernel's traits.
const BEHIND_TRAITS: [(&str, &str); 6] = [
    // Kernels that fuse others: to interleave these is their purpose.
    ("kernel/aes_siv", "kernel::aes"),
    ("kernel/chacha20_blake2b", "kernel::blake2b"),
    ("kernel/chacha20_blake2b", "kernel::chacha20"),
    ("kernel/gcm_siv", "kernel::aes"),
    ("kernel/gcm_siv", "kernel::polyval"),
    // One portable carry-less multiplication serves two fields.
    ("kernel/mgm_multiply", "kernel::polyval"),
];

/// Judges a path into the crate, named in a file of `core/src`. What is neither `tier` nor
/// `kernel` nor `mode` is the room of the keys.
fn import(file: &str, path: &str) -> Option<&'static str> {
    let file = file.strip_prefix("core/src/")?.strip_suffix(".rs")?;
    let path = path.strip_prefix("crate::")?;
    let from: Vec<&str> = file.split('/').collect();
    let to: Vec<&str> = path.split("::").collect();
    let excepted = |(f, p): &(&str, &str)| file.starts_with(f) && path.starts_with(p);
    let sees = is_kernel_item(&to) || BEHIND_TRAITS.iter().any(excepted);
    // `kernel.rs` itself declares the rows, and is of all of them.
    let same_primitive = from.iter().zip(&to).take(2).all(|(a, b)| a == b);
    match (from[0], to[0]) {
        ("tier", "tier") => None,
        ("tier", _) => Some("`tier` imports nothing of ours"),
        ("kernel", "tier") => None,
        ("kernel", "kernel") if is_wider(&from, &to) => Some("a tier calls no wider one"),
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

/// Whether a path leads to a trait, a type or a constant of a kernel, by the case of its
/// first letter, and through no tier's module: `kernel::Block`, `kernel::aes::Aes`.
fn is_kernel_item(to: &[&str]) -> bool {
    let is_item = |name: &&str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let modules = to.iter().take_while(|name| !is_item(name));
    let modules: Vec<&&str> = modules.collect();
    let is_tier = modules.iter().any(|module| TIERS.contains(module));
    modules.len() < to.len() && modules.len() <= 3 && !is_tier
}

/// Whether `kernel/<primitive>/<tier>` names a tier wider than its own.
fn is_wider(from: &[&str], to: &[&str]) -> bool {
    let rank = |path: &[&str]| TIERS.iter().position(|tier| path.get(2) == Some(tier));
    rank(from).is_some_and(|own| rank(to) > Some(own))
}

#[cfg(test)]
mod tests;
