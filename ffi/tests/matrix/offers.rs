//! What each language offers. Its program is asked for all of it, and cannot pass by having
//! less: what a package gains is added here.

use sivka_ffi::status::*;

/// The forms of calls for one message with a nonce that is given, or without one.
pub(super) fn forms_of_one(language: &str) -> &'static [&'static str] {
    match language {
        "rust" => &["joined", "in-place"],
        "python" => &["joined", "into"],
        c if is_c(c) => &["into", "into-in-place", "apart", "in-place"],
        dotnet if dotnet.starts_with("dotnet") => &["apart", "in-place"],
        java if java.starts_with("java") => &["joined", "into", "into-direct", "in-place"],
        "go" => &["joined", "into", "into-in-place"],
        other => panic!("{other}: say here what it offers"),
    }
}

/// Whether columns can be sealed under the key that a key file gives them for an algorithm.
pub(super) fn has_key_of_columns(language: &str, algorithm: &str) -> bool {
    match language {
        "rust" => true,
        c if is_c(c) => true,
        // They have no columns.
        dotnet if dotnet.starts_with("dotnet") => false,
        "go" => false,
        // The algorithms of the functions in SQL.
        _ => ["AES-256-GCM-SIV", "XChaCha20-BLAKE2b-SIV"].contains(&algorithm),
    }
}

/// Whether there are keysets.
pub(super) fn has_keysets(language: &str) -> bool {
    language != "go"
}

/// Whether a key can be closed while threads call it. In Rust and C, callers keep it alive; in
/// Go, the collector does.
pub(super) fn closes_keys(language: &str) -> bool {
    !["rust", "go"].contains(&language) && !is_c(language)
}

/// Whether damaged files are salvaged.
pub(super) fn salvages(language: &str) -> bool {
    language == "rust" || is_c(language)
}

/// Whether it opens files with identities of age.
pub(super) fn identities(language: &str) -> bool {
    language != "go"
}

/// How a language tells an error of the file format's specification, section 9.
pub(super) fn file_failure(language: &str, error: &str) -> &'static str {
    let kind = match error {
        "success" => "done",
        "not-sivka" => "not-sivka",
        "unknown-version" | "unknown-suite" | "unknown-slot" | "unknown-kind" => "newer",
        "header-damaged" | "payload-mismatch" | "damaged" => "damaged",
        "truncated" => "truncated",
        "no-slot-opens" => "wrong-key",
        "cost-too-high" => "cost-limit",
        _ => panic!("{error} is no error of the file format"),
    };
    match kind {
        // One exception of .NET's own for all of these.
        "not-sivka" | "newer" | "damaged" | "cost-limit" if language.starts_with("dotnet") => {
            "invalid-data"
        }
        kind => kind,
    }
}

/// How a wrong call is refused.
pub(super) fn refusal(language: &str, status: Status, argument: &str) -> String {
    let said = match (language, status) {
        (c, status) if is_c(c) && status != SIVKA_ERROR_OPEN => return format!("status {status}"),
        (_, SIVKA_ERROR_OPEN) => "forged",
        ("rust", SIVKA_ERROR_ALGORITHM) => "no algorithm",
        ("rust", _) => "",
        ("go", _) if argument == "key" => "sivka.KeySizeError",
        ("go", _) => "panic: sivka: ",
        ("python", _) => "ValueError: ",
        (java, _) if java.starts_with("java") => "java.lang.IllegalArgumentException: ",
        (dotnet, _) if dotnet.starts_with("dotnet") => "ArgumentException",
        (other, _) => panic!("{other}: say here how it refuses"),
    };
    said.to_owned()
}

/// Whether it is C, perhaps watched by a checker.
pub(super) fn is_c(language: &str) -> bool {
    language == "c" || language.starts_with("c-")
}

/// A form in which a language seals and opens many messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// As in the commands.
    pub(super) name: &'static str,
    /// The bits of an offset.
    pub(super) bits: u32,
    /// Those of an offset of AADs.
    pub(super) aad_bits: u32,
    /// Whether all messages have one AAD.
    pub(super) one_aad: bool,
    /// Whether texts and tags are together.
    pub(super) joined: bool,
    /// Whether the nonces of a column that is sealed are drawn.
    pub(super) draws: bool,
    /// Whether the bitmap of a column may begin in the middle.
    pub(super) any_first_bit: bool,
}

const LIST: Form = Form {
    name: "list",
    bits: 64,
    aad_bits: 64,
    one_aad: false,
    joined: false,
    draws: false,
    any_first_bit: false,
};
const CONTIGUOUS: Form = Form { name: "contiguous", ..LIST };
const COLUMN: Form = Form { name: "column", any_first_bit: true, ..LIST };

/// The forms of calls for many messages.
pub(super) fn forms_of_many(language: &str) -> Vec<Form> {
    let narrow = |form| Form { bits: 32, aad_bits: 32, ..form };
    let joined = |form| Form { joined: true, ..form };
    let one_aad = |form| Form { one_aad: true, ..form };
    let drawn = |form| Form { draws: true, ..form };
    match language {
        "rust" => vec![],
        c if is_c(c) => vec![LIST, CONTIGUOUS, COLUMN, Form { bits: 32, ..COLUMN }],
        dotnet if dotnet.starts_with("dotnet") => vec![narrow(LIST), narrow(one_aad(CONTIGUOUS))],
        "python" => vec![joined(LIST), drawn(COLUMN), narrow(drawn(COLUMN))],
        java if java.starts_with("java") => vec![
            narrow(joined(one_aad(LIST))),
            Form { any_first_bit: false, ..narrow(drawn(COLUMN)) },
        ],
        "go" => vec![LIST, CONTIGUOUS],
        other => panic!("{other}: say here what it offers"),
    }
}
