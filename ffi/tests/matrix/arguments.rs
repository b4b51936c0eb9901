//! Wrong calls: every language gets those that its types let through, and refuses them as it does.

use super::{Language, hex, offers, painted};
use sivka::{Algorithm, NonceRule};
use sivka_ffi::status::*;

/// What is wrong: what the refusal names, if it names it everywhere; the refusal in C; the languages
/// whose types refuse it, or that have no such argument; and the wrong calls beside a right one, each
/// with the number that is given.
type Row = (&'static str, Status, &'static [&'static str], fn(&Call) -> Vec<(Call, usize)>);

const ARGUMENTS: [Row; 12] = [
    ("key", SIVKA_ERROR_LENGTH, &[], |right| {
        lens(right.key.len(), |len| Call { key: vec![7; len], ..right.clone() })
    }),
    ("nonce", SIVKA_ERROR_LENGTH, &[], |right| match right.nonce.len() {
        0 => Vec::new(),
        len => lens(len, |len| Call { nonce: vec![7; len], ..right.clone() }),
    }),
    // Some algorithms have none.
    ("nonce", SIVKA_ERROR_LENGTH, &["python"], |right| {
        when(right.nonce.is_empty(), [Call { nonce: vec![7], ..right.clone() }], 1)
    }),
    ("tag", SIVKA_ERROR_LENGTH, &["python", "go"], |right| match right.form {
        "apart" | "in-place" => lens(right.tag_len, |tag_len| Call { tag_len, ..right.clone() }),
        _ => Vec::new(),
    }),
    // Go appends.
    ("", SIVKA_ERROR_CAPACITY, &["rust", "dotnet", "go"], |right| {
        let is_asked = ["into", "into-direct"].contains(&right.form);
        when(is_asked, [Call { less: 1, ..right.clone() }], 0)
    }),
    ("", SIVKA_ERROR_LENGTH, &["rust", "python", "java", "go"], |right| {
        when(right.form == "apart", [Call { less: 1, ..right.clone() }], 0)
    }),
    ("", SIVKA_ERROR_OPEN, &["dotnet"], |right| {
        let has_tag = ["joined", "into", "into-direct"].contains(&right.form);
        let wrong = [0, right.tag_len - 1].map(|len| Call { text: vec![7; len], ..right.clone() });
        when(has_tag && right.command == "open", wrong, 0)
    }),
    ("", SIVKA_ERROR_ALGORITHM, &["java", "dotnet", "go"], |right| {
        when(true, [Call { algorithm: "AES-512-GCM-SIV", ..right.clone() }], 0)
    }),
    // RFC 9058, section 4: a nonce whose first bit is set, and a message empty in every part.
    ("", SIVKA_ERROR_REFUSED, &[], |right| {
        let high = Call { nonce: vec![0x80; 16], ..right.clone() };
        let empty = Call { aads: vec![Vec::new()], text: Vec::new(), ..right.clone() };
        when(right.algorithm == "Kuznyechik-MGM" && right.command == "seal", [high, empty], 0)
    }),
    ("", SIVKA_ERROR_NO_RANDOM_NONCE, &["python", "java", "dotnet", "go"], |right| {
        when(!right.draws, [Call { form: "drawn", ..right.clone() }], 0)
    }),
    // The tests of `core` ask Rust for lists and blocks.
    ("", SIVKA_ERROR_TOO_LONG, &["rust"], |right| {
        let wrong = Call { form: "strings", aads: vec![vec![7]; 127], ..right.clone() };
        when(right.algorithm == "AES-SIV-512" && right.command == "seal", [wrong], 127)
    }),
    ("", SIVKA_ERROR_LENGTH, &["rust"], |right| {
        let wrong = Call { form: "blocks", text: vec![7; 33], ..right.clone() };
        when(right.algorithm == "Kuznyechik-MGM", [wrong], 33)
    }),
];

/// These calls, if they are asked of such a one.
fn when<const N: usize>(is_asked: bool, wrong: [Call; N], given: usize) -> Vec<(Call, usize)> {
    wrong.into_iter().filter(|_| is_asked).map(|call| (call, given)).collect()
}

/// Empty, shorter, and longer than the right length.
fn lens(right: usize, call: impl Fn(usize) -> Call) -> Vec<(Call, usize)> {
    [0, right - 1, right + 1].map(|len| (call(len), len)).into()
}

#[derive(Clone)]
struct Call {
    command: &'static str,
    form: &'static str,
    algorithm: &'static str,
    draws: bool,
    key: Vec<u8>,
    nonce: Vec<u8>,
    aads: Vec<Vec<u8>>,
    text: Vec<u8>,
    /// How many bytes the output is too short.
    less: usize,
    tag_len: usize,
}

impl Call {
    fn right(algorithm: &Algorithm, command: &'static str, form: &'static str) -> Self {
        Self {
            command,
            form,
            algorithm: algorithm.name(),
            draws: algorithm.nonce_rule() != NonceRule::Counter,
            key: painted(1, algorithm.key_len()),
            nonce: vec![7; algorithm.nonce_len()],
            aads: vec![vec![7]],
            text: painted(2, 100),
            less: 0,
            tag_len: algorithm.tag_len(),
        }
    }

    fn line(&self) -> String {
        let Self { command, form, algorithm, less, tag_len, .. } = self;
        let (key, nonce, text) = (hex(&self.key), hex(&self.nonce), hex(&self.text));
        let aads = self.aads.iter().map(|aad| hex(aad)).collect::<Vec<_>>().join(" ");
        match *form {
            "strings" => format!("{command}-strings {key} {text} {aads}"),
            "blocks" if *command == "seal" => format!("encrypt-blocks {key} 1 {text}"),
            "blocks" => format!("decrypt-blocks {key} 1 {text}"),
            _ => {
                format!("{command} {form} {algorithm} {key} {nonce} {aads} {text} {less} {tag_len}")
            }
        }
    }
}

/// Asks every language for every row that its types do not refuse.
pub(super) fn ask(languages: &mut [Language]) {
    for language in languages {
        let name = language.name.clone();
        let forms =
            offers::forms_of_one(&name).iter().flat_map(|form| [("seal", *form), ("open", *form)]);
        let calls: Vec<Call> = forms
            .flat_map(|(command, form)| {
                Algorithm::all().iter().map(move |it| Call::right(it, command, form))
            })
            .collect();
        for (argument, status, typed, wrong) in &ARGUMENTS {
            let typed = typed.iter().any(|typed| name.starts_with(typed));
            let wrong: Vec<_> = calls.iter().filter(|_| !typed).flat_map(wrong).collect();
            assert_eq!(
                wrong.is_empty(),
                typed,
                "{name}: {argument}, {status}: asked, or refused by types"
            );
            for (call, given) in wrong {
                let answer = language.ask(&call.line());
                let kind = offers::refusal(&name, *status, argument);
                let says_number =
                    given == 0 || name == "go" || answer.contains(&format!("{given} given"));
                let says = answer.starts_with(&kind) && answer.contains(argument) && says_number;
                assert!(says, "{name}: {}: {answer}", call.line());
            }
        }
    }
}
