//! `cargo xtask sizes`: the machine code of each family on each tier, for `docs/sizes.md`.
//!
//! The C library is built as it ships, but keeps its names. With the compiler's newer mangling
//! a name says for which tier a generic function was compiled.

use crate::blob::tool;
use crate::files;
use crate::process::{Failure, capture, cargo, project_root, succeed};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const PAGE: &str = "docs/sizes.md";
const TARGET: &str = "target/sizes";
const LIBRARY: &str = "target/sizes/release/libsivka_ffi.so";

/// A family, and what only the names of its functions contain. The first that fits counts.
const FAMILIES: [(&str, &[&str]); 5] = [
    ("Kuznyechik", &["kuznyechik", "Kuznyechik", "mgm", "omac"]),
    (
        "ChaCha20-BLAKE2b",
        &["chacha20", "ChaCha20", "blake2b", "Blake2b"],
    ),
    ("AES-SIV", &["aes_siv", "AesSiv"]),
    ("AES-GCM-SIV", &["gcm_siv", "GcmSiv", "polyval"]),
    ("shared by these", &[""]),
];

/// A tier, and how a name shows it: a kernel's file, or the token of a generic function.
const TIERS: [(&str, &[&str]); 5] = [
    ("avx512", &["::avx512", "Avx512"]),
    ("vaes256", &["::vaes256", "Vaes256"]),
    ("avx2", &["::avx2", "Avx2"]),
    ("portable", &["::portable", "Portable"]),
    ("any", &[""]),
];

/// Bytes by the places of family and tier in these lists.
type Sizes = BTreeMap<(usize, usize), u64>;

/// Builds, measures, and writes the page.
pub(crate) fn write() -> Result<(), Failure> {
    let mut build = cargo(&["build", "--release", "--locked", "-p", "sivka-ffi"]);
    build
        .args(["--target-dir", TARGET])
        .env("CARGO_PROFILE_RELEASE_STRIP", "none")
        .env("RUSTFLAGS", "-Csymbol-mangling-version=v0");
    succeed(&mut build)?;
    let library = project_root().join(LIBRARY);
    let mut names = tool("llvm-nm")?;
    names.args(["--print-size", "--demangle"]).arg(&library);
    let (sizes, others) = read(&capture(&mut names)?);
    let stripped = library.with_extension("stripped");
    let mut strip = tool("llvm-strip")?;
    succeed(strip.arg("-o").arg(&stripped).arg(&library))?;
    let whole = files::read(&stripped)?.len() as u64;
    let compiler = capture(&mut crate::process::program("rustc", &["--version"]))?;
    let text = page(&sizes, others, whole, compiler.trim());
    files::write(&project_root().join(PAGE), text)?;
    println!("written: {PAGE}");
    Ok(())
}

/// The bytes of the crate `sivka`, and of everything else that has a name.
fn read(names: &str) -> (Sizes, u64) {
    let (mut sizes, mut others) = (Sizes::new(), 0);
    for line in names.lines() {
        let mut words = line.splitn(4, ' ');
        let mut next = || words.next().unwrap_or_default();
        let (_, len, kind, name) = (next(), next(), next(), next());
        let Ok(len) = u64::from_str_radix(len, 16) else {
            continue;
        };
        if !"tTrRdD".contains(kind) {
            continue;
        }
        if !name.trim_start_matches(['<', '&']).starts_with("sivka::") {
            others += len;
            continue;
        }
        *sizes
            .entry((first(&FAMILIES, name), first(&TIERS, name)))
            .or_default() += len;
    }
    (sizes, others)
}

/// The place of the first entry with a pattern that the name contains.
fn first(entries: &[(&str, &[&str])], name: &str) -> usize {
    let fits = |(_, patterns): &(&str, &[&str])| patterns.iter().any(|part| name.contains(part));
    entries.iter().position(fits).unwrap_or_default()
}

fn page(sizes: &Sizes, others: u64, whole: u64, compiler: &str) -> String {
    let mut text = format!(
        "# Sizes\n\n`cargo xtask sizes` makes this page. It has the KiB of functions and constants \
         in `libsivka_ffi.so` for x86-64 Linux, built by {compiler}. A program that links the \
         crate has only the families that it names in its features.\n\n\
         The library has {} KiB when stripped. {} KiB are not of the crate `sivka`: files, \
         keysets with their AEADs, the C interface, and Rust's own library. The table has the \
         rest. *any* is what does not depend on the tier.\n\n| |",
        kibibytes(whole),
        kibibytes(others),
    );
    let sum = |chosen: &dyn Fn(usize, usize) -> bool| -> u64 {
        let of_them = sizes
            .iter()
            .filter(|((family, tier), _)| chosen(*family, *tier));
        of_them.map(|(_, len)| len).sum()
    };
    TIERS
        .iter()
        .for_each(|(tier, _)| text += &format!(" {tier} |"));
    text += " sum |\n|---|";
    (0..=TIERS.len()).for_each(|_| text += "--:|");
    text += "\n";
    let mut row = |title: &str, of_family: &dyn Fn(usize) -> bool| {
        let _ = write!(text, "| {title} |");
        for column in 0..TIERS.len() {
            let len = sum(&|family, tier| of_family(family) && tier == column);
            let _ = write!(text, " {} |", kibibytes(len));
        }
        let _ = writeln!(
            text,
            " {} |",
            kibibytes(sum(&|family, _| of_family(family)))
        );
    };
    for (place, (family, _)) in FAMILIES.iter().enumerate() {
        row(family, &|of| of == place);
    }
    row("sum", &|_| true);
    text
}

fn kibibytes(bytes: u64) -> u64 {
    (bytes + 512) >> 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_family_and_tier() {
        let names = "\
0000000000000010 0000000000000400 t sivka::kernel::gcm_siv::avx512::seal
0000000000000010 0000000000000800 t <sivka::tier::x86_64::Avx2 as sivka::tier::token::Token>::run::<sivka::mode::mgm::seal>
0000000000000010 0000000000000400 r sivka::kernel::kuznyechik::tables::ENCRYPTION
0000000000000010 0000000000000c00 T sivka_seal
0000000000000010 0000000000000400 b sivka::random::BUFFER
0000000000000010 t sivka::without_a_length
                 U memcpy
";
        let (sizes, others) = read(names);
        let expected = [((0, 2), 0x800), ((0, 4), 0x400), ((3, 0), 0x400)];
        assert_eq!((sizes.clone(), others), (Sizes::from(expected), 0xc00));
        let text = page(&sizes, others, 1 << 20, "rustc");
        assert!(
            text.contains("1024 KiB when stripped. 3 KiB are not"),
            "{text}"
        );
        assert!(
            text.contains("| Kuznyechik | 0 | 0 | 2 | 0 | 1 | 3 |\n"),
            "{text}"
        );
        assert!(
            text.ends_with("| sum | 1 | 0 | 2 | 0 | 1 | 4 |\n"),
            "{text}"
        );
    }
}
