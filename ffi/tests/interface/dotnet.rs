//! What .NET says of the C interface.

use crate::NOTE;
use crate::algorithms::lengths;
use crate::table::{Constant, Function, Kind, Table};
use std::fmt::Write as _;

/// What the beginnings of the functions are that .NET has no use for.
const UNUSED: [&str; 4] = [
    "sivka_template_name_at",
    "sivka_kuznyechik_ctr_",
    "sivka_kuznyechik_omac_",
    "sivka_salvage_file",
];

/// `NativeMethods.cs`: every function that is used.
pub(crate) fn methods(table: &Table) -> String {
    let mut text = format!(
        "// {NOTE}\n\
        using System.Runtime.InteropServices;\n\n\
        namespace Sivka.Native;\n\n\
        /// <summary>The functions of <c>sivka.h</c>.</summary>\n\
        internal static unsafe partial class NativeMethods\n{{"
    );
    let is_used = |one: &&Function| !UNUSED.iter().any(|unused| one.name.starts_with(unused));
    for (index, function) in table.functions.iter().filter(is_used).enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        write!(text, "{gap}\n    [LibraryImport(Library.Name)]\n    ").unwrap();
        text.push_str(&declaration(function));
    }
    text.push_str("\n}\n");
    text
}

fn declaration(function: &Function) -> String {
    let result = match &function.result {
        None => "void".to_owned(),
        Some(kind) => plain(kind),
    };
    let arguments = function.arguments.iter().map(|argument| {
        // What is freed is no handle any more.
        let frees = function.name.ends_with("_free");
        let kind = if frees {
            "nint".to_owned()
        } else {
            of_argument(&argument.kind)
        };
        format!("{kind} {}", camel(&argument.name))
    });
    let arguments: Vec<_> = arguments.collect();
    format!(
        "internal static partial {result} {}({});",
        function.name,
        arguments.join(", ")
    )
}

/// A result of one number is an `out`; handles are what owns them, where that is a class.
fn of_argument(kind: &Kind) -> String {
    let Kind::Pointer { written, to } = kind else {
        return plain(kind);
    };
    match &**to {
        Kind::Pointer { .. } if *written => "out nint".to_owned(),
        Kind::Name(name) => match (name.as_str(), written) {
            ("usize" | "u32" | "AlgorithmNumber" | "SuiteNumber", true) => {
                format!("out {}", plain(to))
            }
            ("Slot", true) => "out NativeSlot".to_owned(),
            ("KeysetKey", true) => "out NativeKeysetKey".to_owned(),
            ("FileKeys", _) => "FileKeysHandle".to_owned(),
            ("FileReader", _) => "FileReaderHandle".to_owned(),
            ("FileInspection", _) => "InspectionHandle".to_owned(),
            _ => plain(kind),
        },
        Kind::Pointer { .. } => plain(kind),
    }
}

fn plain(kind: &Kind) -> String {
    match kind {
        Kind::Pointer { to, .. } => match &**to {
            Kind::Name(name) if name == "LastError" => "NativeError*".to_owned(),
            Kind::Name(name) if number(name).is_none() => "nint".to_owned(),
            to => format!("{}*", plain(to)),
        },
        // The caller's functions.
        Kind::Name(name) => number(name).unwrap_or("nint").to_owned(),
    }
}

fn number(name: &str) -> Option<&'static str> {
    Some(match name {
        "u8" | "c_char" => "byte",
        "u32" | "AlgorithmNumber" | "SuiteNumber" | "SlotKind" | "KeysetPrefix"
        | "KeysetPurpose" | "KeysetStatus" => "uint",
        "i32" | "Status" => "int",
        "u64" => "ulong",
        "usize" => "nuint",
        _ => return None,
    })
}

/// `Status.cs`.
pub(crate) fn statuses(table: &Table) -> String {
    let mut text = start(
        "What a native call answers: <c>SIVKA_ERROR_*</c> of <c>sivka.h</c>.",
        "Status",
    );
    for status in &table.statuses {
        constant(&mut text, "int", status);
    }
    let (first, last) = (table.misuse.start(), table.misuse.end());
    write!(
        text,
        "    /// <summary>The call is wrong, and will be wrong again.</summary>\n    \
        internal static bool IsMisuse(int status) => status is >= {first} and <= {last};\n}}\n"
    )
    .unwrap();
    text
}

/// `Constants.cs`: flags, kinds and limits.
pub(crate) fn constants(table: &Table) -> String {
    let mut text = start("The other constants of <c>sivka.h</c>.", "Constants");
    for one in &table.constants {
        let length = one.name.contains("LEN") || one.name.contains("MAX");
        constant(&mut text, if length { "int" } else { "uint" }, one);
    }
    text.truncate(text.trim_end().len());
    text.push_str("\n}\n");
    text
}

fn start(about: &str, class: &str) -> String {
    format!(
        "// {NOTE}\n\
        namespace Sivka.Native;\n\n\
        /// <summary>{about}</summary>\n\
        internal static class {class}\n{{\n"
    )
}

fn constant(text: &mut String, kind: &str, constant: &Constant) {
    let Constant { name, value, about } = constant;
    let about = about.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(
        text,
        "    /// <summary>{about}.</summary>\n    internal const {kind} {} = {value};\n",
        pascal(name)
    )
    .unwrap();
}

/// `AlgorithmTable.cs`, for the programs that play all algorithms.
pub(crate) fn algorithms() -> String {
    let mut text = format!(
        "// {NOTE}\n\
        using System.Collections.Generic;\n\n\
        namespace Sivka;\n\n\
        /// <summary>Every algorithm, with the length of its keys in bytes.</summary>\n\
        internal static class AlgorithmTable\n{{\n    \
        internal static readonly IReadOnlyDictionary<string, int> KeyLengths = \
        new Dictionary<string, int>\n    {{\n"
    );
    for (name, key_len) in lengths() {
        writeln!(text, "        [\"{name}\"] = {key_len},").unwrap();
    }
    text.push_str("    };\n}\n");
    text
}

/// `NO_RANDOM_NONCE` is `NoRandomNonce`.
fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + &rest.to_lowercase()
    };
    name.split('_').map(word).collect()
}

/// `text_len` is `textLen`.
fn camel(name: &str) -> String {
    let name = pascal(name);
    let (first, rest) = name.split_at(1);
    let name = first.to_lowercase() + rest;
    if name == "sealed" {
        format!("@{name}")
    } else {
        name
    }
}
