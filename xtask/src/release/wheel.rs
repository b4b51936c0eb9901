//! A wheel for another platform: all but the extension and its tag is the same.

use super::archive::{Content, Entry, Zip};
use super::compile::Built;
use super::packer::Packer;
use super::platform::System;
use crate::process::Failure;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use zip::CompressionMethod;

/// Writes the wheel of a platform to `path`; `wheel` is that of this machine.
pub(crate) fn write(
    wheel: &Content,
    built: &Built,
    licences: &[(&str, Vec<u8>)],
    path: &Path,
    packer: &Packer<'_>,
) -> Result<(), Failure> {
    let info = format!("sivka-{}.dist-info", packer.version);
    let mut content = wheel.clone();
    content.take("sivka/_native.abi3.so")?;
    content.take(&format!("{info}/RECORD"))?;
    let name = match built.platform.system {
        System::Windows => "sivka/_native.pyd",
        _ => "sivka/_native.abi3.so",
    };
    content.add_program(name.to_owned(), &built.python)?;
    for (name, text) in licences {
        content.add(format!("{info}/licenses/{name}"), Entry::File(text.clone()));
    }
    let about = content.take(&format!("{info}/WHEEL"))?;
    let about = tagged(&String::from_utf8_lossy(&about), built.platform.wheel);
    content.add(format!("{info}/WHEEL"), Entry::File(about.into_bytes()));
    let record = record(&content, &info);
    content.add(format!("{info}/RECORD"), Entry::File(record.into_bytes()));
    content.write_zip(
        path,
        &Zip {
            prefix: "",
            first: &[],
            method: CompressionMethod::Deflated,
            time: packer.tree.time,
        },
    )
}

/// The file WHEEL with other tags: one line for each, of which the name of the file has all.
fn tagged(about: &str, platforms: &str) -> String {
    let mut text = String::new();
    for line in about
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("Tag: "))
    {
        let _ = writeln!(text, "{line}");
    }
    for platform in platforms.split('.') {
        let _ = writeln!(text, "Tag: cp311-abi3-{platform}");
    }
    text
}

/// The file RECORD: each name with its hash and length, and itself without.
fn record(content: &Content, info: &str) -> String {
    let mut text = String::new();
    for (name, bytes) in content.iter() {
        let hash = base64url(&Sha256::digest(bytes));
        let _ = writeln!(text, "{name},sha256={hash},{}", bytes.len());
    }
    let _ = writeln!(text, "{info}/RECORD,,");
    text
}

/// Base64 with `-` and `_`, without padding (RFC 4648, section 5).
fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| {
            bits << 8 | usize::from(three.get(at).copied().unwrap_or(0))
        });
        for at in 0..=three.len() {
            text.push(char::from(ALPHABET[bits >> (18 - 6 * at) & 63]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64url, tagged};

    #[test]
    fn base64_of_rfc_4648() {
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
        ] {
            assert_eq!(base64url(text.as_bytes()), encoded);
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn tags_are_replaced() {
        let about = "Wheel-Version: 1.0\nTag: cp311-abi3-linux_x86_64\n\n";
        let wanted = "Wheel-Version: 1.0\nTag: cp311-abi3-a\nTag: cp311-abi3-b\n";
        assert_eq!(tagged(about, "a.b"), wanted);
    }
}
