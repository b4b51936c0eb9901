//! The header: what `cbindgen` writes, and what it cannot.

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
"
    )
}

/// The header of the crate in `folder`.
pub(crate) fn header(folder: &Path) -> String {
    let mut config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    config.after_includes = Some(preamble());
    let mut made = Vec::new();
    cbindgen::generate_with_config(folder, config)
        .unwrap()
        .write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let mut text = String::new();
    let mut in_callback = false;
    for line in made.lines() {
        in_callback |= line.starts_with("typedef ") && line.contains("(*");
        let line = if in_callback {
            line.to_owned()
        } else {
            declaration(line)
        };
        in_callback &= !line.ends_with(';');
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A line of a declaration. Bytes are `void`, so that what a caller has needs no cast; an array
/// of pointers to them stays as it is.
fn declaration(line: &str) -> String {
    let bytes = match line.contains("uint8_t *const *") {
        true => line.to_owned(),
        false => line.replace("uint8_t *", "void *"),
    };
    match line.starts_with("sivka_status sivka_") {
        true => format!("SIVKA_MUST_USE\n{bytes}"),
        false => bytes,
    }
}
