//! A wheel for another platform: all but the extension and its tags is the same. The package
//! `wheel` unpacks, tags and packs it, and writes down what is in it.

use super::compile::Built;
use super::packer::Packer;
use super::platform::System;
use crate::files::{copy, listed, read_text, write};
use crate::process::{Failure, succeed};
use std::fs;
use std::path::Path;

const EXTENSION: &str = "sivka/_native.abi3.so";

/// Writes the wheel of a platform; `wheel` is that of this machine.
pub(super) fn write_for(
    built: &Built,
    wheel: &Path,
    licences: &[(&str, Vec<u8>)],
    packer: &Packer<'_>,
) -> Result<(), Failure> {
    let folder = packer.fresh("wheel-of-a-platform")?;
    let run = |verb: &str, of: &Path, to: &Path| {
        let mut python = packer.tools.python();
        python.args(["-m", "wheel", verb]).arg(of).arg("-d").arg(to);
        succeed(packer.tree.settle(&mut python))
    };
    run("unpack", wheel, &folder)?;
    let content = folder.join(format!("sivka-{}", packer.version));
    let extension = content.join(EXTENSION);
    fs::remove_file(&extension).map_err(|e| crate::files::about(&extension, &e))?;
    copy(
        &built.python,
        &match built.platform.system {
            System::Windows => content.join("sivka/_native.pyd"),
            _ => extension,
        },
    )?;
    let info = content.join(format!("sivka-{}.dist-info", packer.version));
    for (name, text) in licences {
        write(&info.join("licenses").join(name), text)?;
    }
    let about = info.join("WHEEL");
    write(&about, tagged(&read_text(&about)?, built.platform.wheel))?;
    run("pack", &content, packer.out)?;
    // It names a wheel by its tags, in their order.
    let name = packer.wheel_name(built.platform);
    if listed(packer.out)?.iter().any(|path| path.ends_with(&name)) {
        Ok(())
    } else {
        Err(Failure::new(format!("{name} was not written")))
    }
}

/// The file WHEEL with other tags: one line for each, of which the name of the file has all.
fn tagged(about: &str, platforms: &str) -> String {
    let kept = about.lines().filter(|line| !line.starts_with("Tag: "));
    let kept = kept.filter(|line| !line.is_empty()).map(str::to_owned);
    let tags = platforms.split('.');
    let tags = tags.map(|platform| format!("Tag: cp311-abi3-{platform}"));
    kept.chain(tags).map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::tagged;

    #[test]
    fn tags_are_replaced() {
        let about = "Wheel-Version: 1.0\nTag: cp311-abi3-linux_x86_64\n\n";
        let wanted = "Wheel-Version: 1.0\nTag: cp311-abi3-a\nTag: cp311-abi3-b\n";
        assert_eq!(tagged(about, "a.b"), wanted);
    }
}
