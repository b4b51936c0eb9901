//! Instructions of each tier: reads every function of `sivka` in a linked program, and names each
//! one that needs more of a CPU than its tier promises. An emulator sees the executed paths; this
//! sees all.
//!
//! A function belongs to the widest tier that its symbol names, and to `portable` if it names none.
//! Inlined code of `core/src/tier`, such as the wiping of registers, asks the CPU itself.

use addr2line::{Loader, demangle_auto};
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Instruction, Mnemonic};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A tier, its name in a path, and its additions to the tier before it; the narrower first.
type Tier = (&'static str, &'static [&'static str], &'static [CpuidFeature]);

/// As `kernel!` in `core/src/tier/x86_64.rs` has them.
const TIERS: [Tier; 5] = {
    use CpuidFeature::{MULTIBYTENOP as LONG_NOP, *};
    [
        // Instructions of every x86-64. An instruction of CET is a NOP without it.
        (
            "portable",
            &["portable", "Portable"],
            &[
                INTEL8086, INTEL186, INTEL286, INTEL386, INTEL486, X64, CET_IBT, CMOV, CPUID, CX8,
                FXSR, LONG_NOP, PAUSE, SSE, SSE2,
            ],
        ),
        (
            "avx2",
            &["avx2", "Avx2"],
            &[SSE3, SSSE3, SSE4_1, SSE4_2, AVX, AVX2, AES, PCLMULQDQ, BMI2],
        ),
        ("vaes256", &["vaes256", "Vaes256"], &[VAES, VPCLMULQDQ]),
        // All of Kuznyechik's there.
        ("vaes256 with GFNI", &["Vaes256Gfni"], &[GFNI]),
        ("avx512", &["avx512", "Avx512"], &[AVX512F, AVX512BW, AVX512VL, AVX512DQ, AVX512_VBMI]),
    ]
};

/// Reads a program. `read_as` has functions of one tier judged as if they were of another one.
pub(crate) fn all(path: &str, read_as: Option<(&str, &str)>) -> Result<bool, String> {
    let bytes = fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let program = object::File::parse(&*bytes).map_err(|e| format!("{path}: {e}"))?;
    let lines = Loader::new(path).map_err(|e| format!("{path}: {e}"))?;
    let rank = |name: &str| {
        let found = TIERS.iter().position(|(tier, ..)| *tier == name);
        found.ok_or_else(|| format!("`{name}` is no tier"))
    };
    let read_as = match read_as {
        Some((tier, other)) => Some((rank(tier)?, rank(other)?)),
        None => None,
    };
    let mut read: BTreeMap<usize, usize> = BTreeMap::new();
    let mut holds = true;
    for symbol in program.symbols() {
        let name = demangle_auto(symbol.name().unwrap_or_default().into(), None);
        if symbol.kind() != SymbolKind::Text || symbol.size() == 0 || !is_ours(&name) {
            continue;
        }
        let section = symbol.section_index().map(|at| program.section_by_index(at));
        let code = section
            .and_then(Result::ok)
            .map(|section| section.data_range(symbol.address(), symbol.size()));
        let Some(Ok(Some(code))) = code else {
            return Err(format!("{name}: no code"));
        };
        let tier = tier_of(&name);
        *read.entry(tier).or_default() += 1;
        let judged = match read_as {
            Some((of, other)) if of == tier => other,
            _ => tier,
        };
        let found = beyond(judged, code, |at| asks_itself(&lines, symbol.address() + at));
        for found in found {
            println!("{} of {name} (`{}`): {found}", TIERS[judged].0, TIERS[tier].0);
            holds = false;
        }
    }
    for (rank, (tier, ..)) in TIERS.iter().enumerate() {
        let count = read.get(&rank).copied().unwrap_or_default();
        println!("{tier}: {count} functions read");
        holds &= count > 0;
    }
    Ok(holds)
}

/// Functions of the crate, and those of others that are made for a type of its.
fn is_ours(name: &str) -> bool {
    const OWN: [&str; 3] = ["sivka::kernel::", "sivka::mode::", "sivka::aead::"];
    let name = name.trim_start_matches(['<', '&']);
    OWN.iter().any(|own| name.starts_with(own))
}

/// Whether an instruction comes from `core/src/tier`.
fn asks_itself(lines: &Loader, at: u64) -> bool {
    let Ok(mut frames) = lines.find_frames(at) else {
        return false;
    };
    while let Ok(Some(frame)) = frames.next() {
        let file = frame.location.and_then(|place| place.file);
        if file.is_some_and(|file| file.contains("core/src/tier/")) {
            return true;
        }
    }
    false
}

/// The name with its tier: kernels whose vectors are one block are of `avx2` on x86-64.
pub(crate) fn of_blocks(name: &str) -> String {
    const BLOCKS: [&str; 4] = ["aes::blocks", "vectors::blocks", "polyval::blocks", "m128"];
    BLOCKS.iter().fold(name.to_owned(), |name, blocks| name.replace(blocks, "avx2"))
}

/// The widest tier that a path names.
fn tier_of(name: &str) -> usize {
    let name = ["kuznyechik::vaes256", "byte_sliced::gfni"]
        .iter()
        .fold(of_blocks(name), |name, gfni| name.replace(gfni, "Vaes256Gfni"));
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut tier = 0;
    words.by_ref().for_each(|word| {
        let rank = TIERS.iter().position(|(_, names, _)| names.contains(&word));
        tier = tier.max(rank.unwrap_or_default());
    });
    tier
}

/// Instructions that CPUs of a tier may lack, each once with an example, except in code that asks
/// the CPU first.
fn beyond(tier: usize, code: &[u8], asks: impl Fn(u64) -> bool) -> BTreeSet<String> {
    let allowed: Vec<CpuidFeature> = TIERS[..=tier].iter().flat_map(|t| t.2).copied().collect();
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        if instruction.is_invalid() {
            found.insert("bytes that are no instruction".to_owned());
            continue;
        }
        // Older CPUs execute it as BSF: the compiler uses it for that, on numbers other than zero.
        if instruction.mnemonic() == Mnemonic::Tzcnt {
            continue;
        }
        for feature in instruction.cpuid_features() {
            if !allowed.contains(feature)
                && !asks(instruction.ip())
                && seen.insert(format!("{feature:?}"))
            {
                found.insert(format!("{:?} needs {feature:?}", instruction.mnemonic()));
            }
        }
    }
    found
}
