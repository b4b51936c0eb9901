//! The import rules of ARCHITECTURE.md, one function each.
//!
//! Every function looks at one file and adds what it finds to the report; the
//! tests give each of them a snippet that breaks it.

use super::manifest::Manifest;
use super::source::{Kind, Path, Root, Source};

/// One broken rule: where, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// What was looked at, so that a run that saw nothing cannot pass.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) violations: Vec<Violation>,
    pub(crate) paths_judged: usize,
}

impl Report {
    fn add(&mut self, path: &str, line: usize, message: impl Into<String>) {
        self.violations.push(Violation {
            path: path.to_owned(),
            line,
            message: message.into(),
        });
    }
}

/// The narrower tier before the wider. `neon` is of another family.
const TIERS: [&str; 5] = ["portable", "avx2", "vaes256", "avx512", "neon"];

/// Every rule that concerns a source file.
pub(crate) fn check_source(source: &Source, report: &mut Report) {
    file_names(source, report);
    file_length(source, report);
    rooms_of_core(source, report);
    danger_stays_in_its_rooms(source, report);
    portable_is_plain(source, report);
    modes_name_no_machine(source, report);
    narrow_tiers_do_not_call_wide_ones(source, report);
    only_the_public_api(source, report);
    oracle_stands_alone(source, report);
    environment(source, report);
    roots_forbid_unsafe(source, report);
}

/// `foo.rs` beside `foo/`, and names that say what is inside.
fn file_names(source: &Source, report: &mut Report) {
    let name = source.path.rsplit('/').next().unwrap_or_default();
    if name == "mod.rs" {
        report.add(
            &source.path,
            1,
            "a module `foo` stands in `foo.rs`, never in `mod.rs`",
        );
    }
    if ["utils.rs", "util.rs", "common.rs", "misc.rs", "helpers.rs"].contains(&name) {
        report.add(
            &source.path,
            1,
            "a file is named by the thing that it holds",
        );
    }
}

/// Hand-written files stay readable at one sitting. Lists of test cases may be
/// longer; tables are named and exempt.
fn file_length(source: &Source, report: &mut Report) {
    let limit = if source.path.contains("/src/") {
        800
    } else {
        1000
    };
    if source.lines > limit && !source.path.ends_with("_tables.rs") {
        let message = format!("{} lines; {limit} is the limit for one file", source.lines);
        report.add(&source.path, 1, message);
    }
}

// ---- core: who may import whom --------------------------------------------

/// The part of `core` that a module path belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Tier,
    Kernel,
    Mode,
    /// The public keys, the errors and the map in `lib.rs`.
    Top,
}

fn room(module: Option<&str>) -> Room {
    match module {
        Some("tier") => Room::Tier,
        Some("kernel") => Room::Kernel,
        Some("mode") => Room::Mode,
        _ => Room::Top,
    }
}

/// The module segments of a file of `core`, `None` for files elsewhere.
fn module_in_core(path: &str) -> Option<Vec<&str>> {
    let inner = path.strip_prefix("core/src/")?.strip_suffix(".rs")?;
    Some(inner.split('/').collect())
}

fn rooms_of_core(source: &Source, report: &mut Report) {
    let Some(module) = module_in_core(&source.path) else {
        return;
    };
    let from = room(module.first().copied());
    for path in source.paths.iter().filter(|path| path.root == Root::Crate) {
        let segments: Vec<&str> = path.segments.iter().map(String::as_str).collect();
        let to = room(segments.first().copied());
        report.paths_judged += 1;
        let complaint = match (from, to) {
            (Room::Tier, to) if to != Room::Tier => Some("`tier` imports nothing of ours"),
            (Room::Kernel, Room::Mode | Room::Top) => {
                Some("a kernel imports `tier` and its own primitive, nothing above")
            }
            (Room::Kernel, Room::Kernel) if !same_primitive_or_trait(&module, &segments) => {
                Some("a kernel sees another primitive through its trait only")
            }
            (Room::Mode, Room::Kernel) if !is_kernel_item(&segments) => {
                Some("a mode sees a kernel's traits and types, not what is behind them")
            }
            (Room::Mode, Room::Tier) if segments.get(1) != Some(&"secret") => {
                Some("a mode imports `tier::secret` and nothing else of `tier`")
            }
            (Room::Mode, Room::Top) => Some("a mode imports nothing from above"),
            (Room::Top, Room::Kernel)
                if segments.len() > 1
                    && !is_kernel_item(&segments)
                    && !is_named_implementation(&segments) =>
            {
                Some("a key sees a kernel's traits only; what it does is the mode's")
            }
            _ => None,
        };
        if let Some(complaint) = complaint {
            let message = format!("`crate::{}`: {complaint}", segments.join("::"));
            report.add(&source.path, path.line, message);
        }
    }
}

/// `kernel::Item`, `kernel::primitive::Item`, or `kernel::primitive::part::Item` of
/// a part that is no tier's: a trait, a type or a constant, by the case of its first
/// letter.
fn is_kernel_item(segments: &[&str]) -> bool {
    let is_item = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
    match segments {
        ["kernel", item, ..] if is_item(item) => true,
        ["kernel", _, item, ..] if is_item(item) => true,
        ["kernel", _, part, item, ..] => !TIERS.contains(part) && is_item(item),
        _ => false,
    }
}

/// Kernels that fuse other primitives, and which: their files work with the insides
/// of these, because the fusion is their purpose.
const FUSED: [(&str, &[&str]); 3] = [
    ("gcm_siv", &["aes", "polyval"]),
    ("chacha20_blake2b", &["chacha20", "blake2b"]),
    // One portable carry-less multiplication serves two fields.
    ("mgm_multiply", &["polyval"]),
];

/// Implementations that no tier chooses and a key offers by name: their modules.
const NAMED: [(&str, &[&str]); 1] = [("kuznyechik", &["compact", "tables"])];

fn is_named_implementation(segments: &[&str]) -> bool {
    matches!(segments, ["kernel", primitive, part, ..]
        if NAMED.iter().any(|(of, parts)| of == primitive && parts.contains(part)))
}

fn same_primitive_or_trait(module: &[&str], segments: &[&str]) -> bool {
    // `kernel.rs` itself declares the rows.
    let same = module.len() == 1 || segments.len() < 2 || module.get(1) == segments.get(1);
    let is_fused = |(fused, parts): &(&str, &[&str])| {
        module.get(1) == Some(fused) && segments.get(1).is_some_and(|part| parts.contains(part))
    };
    same || is_kernel_item(segments) || FUSED.iter().any(is_fused)
}

/// In `kernel/<primitive>/<tier>.rs`, a wider tier may delegate to a narrower one,
/// never the reverse.
fn narrow_tiers_do_not_call_wide_ones(source: &Source, report: &mut Report) {
    let rank = |name: &str| TIERS.iter().position(|tier| *tier == name);
    let Some(module) = module_in_core(&source.path) else {
        return;
    };
    let ["kernel", _, tier, ..] = module[..] else {
        return;
    };
    let Some(own) = rank(tier) else { return };
    for path in source.paths.iter().filter(|path| path.root == Root::Crate) {
        let [first, _, other, ..] = &path.segments[..] else {
            continue;
        };
        if first == "kernel" && rank(other).is_some_and(|other| other > own) {
            let message = format!("`{tier}` calls the wider tier `{other}`");
            report.add(&source.path, path.line, message);
        }
    }
}

// ---- where danger may stand ------------------------------------------------

/// Whether `unsafe` may stand in this file at all.
fn may_be_unsafe(path: &str) -> bool {
    // Tests that read memory after a drop, and peers of the benchmarks and of the
    // fuzz targets behind a C interface, need it; nothing of that ships.
    let rooms = [
        "core/src/tier/",
        "core/src/tier.rs",
        "core/src/kernel/",
        "core/src/kernel.rs",
        "core/tests/",
        "ffi/",
        "bench/",
        "fuzz/",
    ];
    rooms.iter().any(|room| path.starts_with(room))
}

/// Whether instruction sets may be named by their intrinsics in this file.
fn may_name_intrinsics(path: &str) -> bool {
    let in_kernel = path
        .strip_prefix("core/src/kernel/")
        .is_some_and(|inner| inner.contains('/'));
    // Tests of wiping read registers.
    let is_test = path.starts_with("core/tests/");
    path.starts_with("core/src/tier/") || is_test || (in_kernel && !is_portable_kernel(path))
}

fn is_portable_kernel(path: &str) -> bool {
    path.starts_with("core/src/kernel/")
        && path
            .split('/')
            .any(|part| part == "portable" || part == "portable.rs")
}

fn is_arch(path: &Path) -> bool {
    path.root == Root::Name
        && matches!(&path.segments[..], [root, arch, ..] if (root == "core" || root == "std") && arch == "arch")
}

fn danger_stays_in_its_rooms(source: &Source, report: &mut Report) {
    if !may_be_unsafe(&source.path) {
        for (_, line) in source.idents().filter(|(name, _)| *name == "unsafe") {
            report.add(
                &source.path,
                line,
                "`unsafe` stands only in `kernel`, `tier` and `ffi`",
            );
        }
        for allowed in ["allow", "expect", "warn"] {
            if source.has_sequence(&[allowed, "(", "unsafe_code", ")"]) {
                report.add(
                    &source.path,
                    1,
                    "the `unsafe_code` lint is lowered outside its rooms",
                );
            }
        }
    }
    if source.path.starts_with("bench/") || source.path.starts_with("fuzz/") {
        return;
    }
    if !may_name_intrinsics(&source.path) {
        for path in source.paths.iter().filter(|path| is_arch(path)) {
            let message = "`core::arch` stands only in `kernel/<primitive>` and in `tier`";
            report.add(&source.path, path.line, message);
        }
        for (_, line) in source
            .idents()
            .filter(|(name, _)| *name == "target_feature")
        {
            let message = "`target_feature` stands only in `kernel/<primitive>` and in `tier`";
            report.add(&source.path, line, message);
        }
    }
}

/// A portable kernel is code that any CPU runs and any reader can check.
fn portable_is_plain(source: &Source, report: &mut Report) {
    if is_portable_kernel(&source.path) {
        for (_, line) in source.idents().filter(|(name, _)| *name == "unsafe") {
            report.add(&source.path, line, "a portable kernel has no `unsafe`");
        }
    }
}

/// Words that only a program for one machine would use, by the start of the word.
const MACHINE_WORDS: [&str; 20] = [
    "avx", "aesni", "vaes", "pclmul", "vpclmul", "gfni", "neon", "pmull", "bmi1", "bmi2", "xmm",
    "ymm", "zmm", "mm128", "mm256", "mm512", "m128i", "sse2", "ssse3", "sse4",
];

fn modes_name_no_machine(source: &Source, report: &mut Report) {
    if !source.path.starts_with("core/src/mode") {
        return;
    }
    let names = [
        "x86",
        "x86_64",
        "aarch64",
        "arm",
        "target_arch",
        "target_feature",
        "Portable",
    ];
    let is_machine = |name: &str| {
        names.contains(&name)
            || name.to_ascii_lowercase().split('_').any(|word| {
                MACHINE_WORDS
                    .iter()
                    .any(|machine| word.starts_with(machine))
            })
    };
    for (name, line) in source
        .idents()
        .chain(source.strings())
        .filter(|(name, _)| is_machine(name))
    {
        let message = format!("`{name}`: a mode names no tier and no instruction set");
        report.add(&source.path, line, message);
    }
}

// ---- the other crates -------------------------------------------------------

/// `file`, `cli`, `ffi` and `bench` stand on what every user of the library has.
fn only_the_public_api(source: &Source, report: &mut Report) {
    let room = source.path.split('/').next().unwrap_or_default();
    if !["file", "cli", "ffi", "bench"].contains(&room) {
        return;
    }
    for (index, token) in source.tokens.iter().enumerate() {
        let Kind::Ident(name) = &token.kind else {
            continue;
        };
        let after: Vec<&Kind> = source.tokens[index + 1..]
            .iter()
            .map(|t| &t.kind)
            .take(3)
            .collect();
        let before = index
            .checked_sub(1)
            .and_then(|before| source.tokens.get(before));
        let in_attribute = before.is_some_and(|token| token.kind == Kind::Punct('['));
        let spliced = match (name.as_str(), &after[..]) {
            ("path", [Kind::Punct('='), Kind::Str(text), ..]) if in_attribute => Some(text),
            ("include", [Kind::Punct('!'), Kind::Punct('('), Kind::Str(text)]) => Some(text),
            _ => None,
        };
        if spliced.is_some_and(|text| leaves_the_crate(&source.path, text)) {
            report.add(
                &source.path,
                token.line,
                "another crate's source is spliced in",
            );
        }
        // A forced tier is for tests and benchmarks.
        let is_test = room == "bench" || source.path.contains("/tests/");
        if name == "with_tier" && !is_test {
            report.add(
                &source.path,
                token.line,
                "`with_tier` is for tests and benchmarks",
            );
        }
    }
}

/// Whether `relative`, seen from the folder of `path`, climbs out of the crate.
fn leaves_the_crate(path: &str, relative: &str) -> bool {
    let folders_inside = path.matches('/').count() - 1;
    let climbs = relative.split('/').take_while(|part| *part == "..").count();
    climbs > folders_inside || relative.starts_with('/')
}

/// The reference is worth nothing if it stands on what it judges.
fn oracle_stands_alone(source: &Source, report: &mut Report) {
    if !source.path.starts_with("oracle/") {
        return;
    }
    for (name, line) in source.idents() {
        if ["sivka", "sivka_file", "sivka_ffi", "sivka_cli"].contains(&name) {
            report.add(&source.path, line, format!("the oracle names `{name}`"));
        }
    }
}

/// The libraries read no environment variable, but for the tier that a private
/// feature lets tests force.
fn environment(source: &Source, report: &mut Report) {
    if !(source.path.starts_with("core/src/") || source.path.starts_with("file/src/")) {
        return;
    }
    for path in &source.paths {
        let reads = path.root == Root::Name
            && (path.segments.starts_with(&["std".into(), "env".into()])
                || path.segments.first().is_some_and(|first| first == "env"));
        if reads && !source.gated_by_feature(path.token, "__force_tier") {
            let message = "the environment is read outside the feature `__force_tier`";
            report.add(&source.path, path.line, message);
        }
    }
}

/// Each crate says at its root what the compiler shall hold it to.
fn roots_forbid_unsafe(source: &Source, report: &mut Report) {
    let level = match source.path.as_str() {
        "core/src/lib.rs" => "deny",
        "file/src/lib.rs" | "cli/src/main.rs" | "oracle/src/lib.rs" | "xtask/src/main.rs" => {
            "forbid"
        }
        _ => return,
    };
    if !source.has_sequence(&["#", "!", "[", level, "(", "unsafe_code", ")", "]"]) {
        report.add(
            &source.path,
            1,
            format!("`#![{level}(unsafe_code)]` is missing"),
        );
    }
}

// ---- manifests ----------------------------------------------------------------

/// Which crates of ours each crate may depend on, in its own build.
const OWN_DEPENDENCIES: [(&str, &[&str]); 8] = [
    ("core", &[]),
    ("file", &["sivka"]),
    ("ffi", &["sivka", "sivka-file"]),
    ("cli", &["sivka", "sivka-file"]),
    ("oracle", &[]),
    ("xtask", &[]),
    ("bench", &["sivka", "sivka-file", "sivka-oracle"]),
    (
        "fuzz",
        &["sivka", "sivka-file", "sivka-ffi", "sivka-oracle"],
    ),
];

/// Every rule that concerns a `Cargo.toml`.
pub(crate) fn check_manifest(manifest: &Manifest, report: &mut Report) {
    let Some(room) = manifest.path.strip_suffix("/Cargo.toml") else {
        return;
    };
    let rule = OWN_DEPENDENCIES.iter().find(|(name, _)| *name == room);
    let Some((_, allowed)) = rule else {
        report.add(
            &manifest.path,
            1,
            "a new crate: say in the import rules what it may import",
        );
        return;
    };
    let ships = ["core", "file", "ffi", "cli"].contains(&room);
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        for dependency in manifest.dependencies(kind) {
            let name = dependency.name;
            let ours = name == "sivka" || name.starts_with("sivka-");
            let for_tests = kind == "dev-dependencies" && room != "oracle";
            if ours && !allowed.contains(&name) && !for_tests {
                let message = format!("`{room}` may not depend on `{name}`");
                report.add(&manifest.path, dependency.entry.line, message);
            }
            if ours
                && ships
                && kind != "dev-dependencies"
                && dependency.entry.value.contains("\"__")
            {
                let message = format!("`{room}` turns on a private feature of `{name}`");
                report.add(&manifest.path, dependency.entry.line, message);
            }
        }
    }
    if manifest
        .value("features", "default")
        .is_some_and(|list| list.contains("__"))
    {
        report.add(&manifest.path, 1, "a private feature is on by default");
    }
    if !ships && manifest.value("package", "publish") != Some("false") {
        report.add(&manifest.path, 1, "`publish = false` is missing");
    }
    if room != "fuzz" && manifest.value("lints", "workspace") != Some("true") {
        report.add(&manifest.path, 1, "the workspace's lints are not inherited");
    }
}

#[cfg(test)]
mod tests;
