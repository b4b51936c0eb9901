//! The header: what `cbindgen` writes, and what it cannot.

use crate::table::Table;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// After the includes: the version as numbers, and what a caller must not forget.
fn preamble() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut numbers = version.split(['.', '-', '+']);
    let mut next = || numbers.next().unwrap();
    let (major, minor, patch) = (next(), next(), next());
    format!(
        "
/* The version of this header; sivka_version() says that of the library. */
#define SIVKA_VERSION \"{version}\"
#define SIVKA_VERSION_MAJOR {major}
#define SIVKA_VERSION_MINOR {minor}
#define SIVKA_VERSION_PATCH {patch}

/* A status that nobody reads is a mistake, which compilers then report. */
#if defined(__has_attribute)
#if __has_attribute(warn_unused_result)
#define SIVKA_MUST_USE __attribute__((warn_unused_result))
#endif
#endif
#ifndef SIVKA_MUST_USE
#define SIVKA_MUST_USE
#endif

/* Enumerations have four bytes in every language. C before C23 cannot say so; it is checked. */
#if (defined(__cplusplus) && (__cplusplus >= 201103L || defined(_MSC_VER))) || \\
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define SIVKA_ENUM(type) : type
#else
#define SIVKA_ENUM(type)
#endif
#define SIVKA_FOUR_BYTES(type) typedef char type##_has_four_bytes[sizeof(type) == 4 ? 1 : -1]
"
    )
}

/// The header of the crate in `folder`.
pub(crate) fn header(folder: &Path, table: &Table) -> String {
    let mut config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    config.after_includes = Some(preamble());
    let names = config.export.rename.clone();
    let mut made = Vec::new();
    cbindgen::generate_with_config(folder, config).unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let mut text: String = made.lines().map(declaration).collect();
    for (of, constants) in &table.enumerated {
        let constants = constants.iter().map(|name| take_define(&mut text, name));
        let in_order: BTreeMap<i64, String> = constants.collect();
        enumerate(&mut text, &names[of], in_order.values());
    }
    with_short_comments(&text)
}

/// Comments that begin and end in a line with words, as in the other sources in C.
fn with_short_comments(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Of the comment that has begun.
    let mut indent = None;
    for line in text.lines() {
        let words = line.trim();
        match (words, indent, lines.last_mut()) {
            ("/*", ..) => {
                indent = Some(line.trim_end_matches("/*"));
                lines.push(line.to_owned());
            }
            ("*/", _, Some(last)) => {
                indent = None;
                last.push_str(" */");
            }
            (words, Some(_), Some(last)) if last.ends_with("/*") => {
                last.push(' ');
                last.push_str(words.trim_start_matches("* "));
            }
            (words, Some(indent), _) if !words.starts_with('*') => {
                lines.push(format!("{indent} * {words}").trim_end().to_owned());
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

/// Takes a constant with its comment out of the header: its value, and what it is in an
/// enumeration.
fn take_define(text: &mut String, name: &str) -> (i64, String) {
    let define = format!("#define {name} ");
    let at = text.find(&define).unwrap();
    let start = text[..at].rfind("/*\n").unwrap();
    let end = at + text[at..].find("\n\n").unwrap();
    let value = text[at + define.len()..end].trim().parse().unwrap();
    let comment: Vec<&str> = text[start..at].lines().collect();
    let mut constant = String::new();
    for line in comment {
        writeln!(constant, "    {line}").unwrap();
    }
    writeln!(constant, "    {name} = {value},").unwrap();
    text.replace_range(start..end + 2, "");
    (value, constant)
}

/// Puts an enumeration into the place of a number's type, so that a `switch` is checked.
fn enumerate<'a>(text: &mut String, name: &str, constants: impl Iterator<Item = &'a String>) {
    let end = format!(" {name};\n");
    let at = text.find(&format!("int32_t{end}")).unwrap();
    let start = text[..at].rfind("typedef ").unwrap();
    let number = text[start..at + "int32_t".len()].strip_prefix("typedef ").unwrap();
    let constants: Vec<&str> = constants.map(String::as_str).collect();
    let constants = constants.concat();
    let made = format!(
        "typedef enum {name} SIVKA_ENUM({number}) {{\n{constants}}} {name};\n\
        SIVKA_FOUR_BYTES({name});\n"
    );
    text.replace_range(start..at + "int32_t".len() + end.len(), &made);
}

/// A line, or a declaration of a function with as many arguments in a line as fit. Bytes are
/// `void`, so that what a caller has needs no cast; an array of pointers to them stays as it is, and
/// so do the arguments of the caller's functions.
fn declaration(line: &str) -> String {
    let is_callback = line.starts_with("typedef ") && line.contains("(*");
    let bytes = match is_callback || line.contains("uint8_t *const *") {
        true => line.to_owned(),
        false => line.replace("uint8_t *", "void *"),
    };
    let must_use = match line.starts_with("sivka_status sivka_") {
        true => "SIVKA_MUST_USE ",
        false => "",
    };
    let mut lines = vec![must_use.to_owned()];
    for part in bytes.split_inclusive(", ") {
        let last = lines.last_mut().unwrap();
        if line.ends_with(");") && last.len() + part.trim_end().len() > 100 {
            lines.push(format!("    {part}"));
        } else {
            last.push_str(part);
        }
    }
    let ended = lines.iter().map(|line| format!("{}\n", line.trim_end()));
    ended.collect()
}
