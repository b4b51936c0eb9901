//! The Go modules, as the module proxy has them, and a program that is built from them where
//! there is no C compiler.

use super::archive::{Content, Zip};
use crate::blob;
use crate::files::{copy, empty_folder, listed, read_text, write};
use crate::process::{Failure, capture, program, succeed};
use std::path::{Path, PathBuf};
use zip::CompressionMethod;

/// A module, its folder in the source tree, and how its archive is called.
struct Module {
    path: &'static str,
    folder: &'static str,
    archive: &'static str,
}

/// That of the project's address, and one that needs tink-go.
const MODULES: [Module; 2] = [
    Module {
        path: "sivka.dev/go",
        folder: "bindings/go",
        archive: "sivka-go",
    },
    Module {
        path: "sivka.dev/go/tink",
        folder: "bindings/go/tink",
        archive: "sivka-go-tink",
    },
];

impl Module {
    /// The file of a version of the module.
    fn file_name(&self, version: &str) -> String {
        format!("{}-{version}.zip", self.archive)
    }
}

/// Writes each module in `source`, where the machine code has been made, as a zip archive.
/// Nested modules are none of it.
pub(crate) fn write_zips(
    source: &Path,
    out: &Path,
    version: &str,
    time: u64,
) -> Result<(), Failure> {
    blob::must_be_in(source)?;
    for module in &MODULES {
        let folder = source.join(module.folder);
        check_requirement(&folder, version)?;
        let mut content = Content::default();
        add(&mut content, "", &folder, true)?;
        let zip = Zip {
            prefix: &format!("{}@v{version}/", module.path),
            first: &[],
            method: CompressionMethod::Deflated,
            time,
        };
        content.write_zip(&out.join(module.file_name(version)), &zip)?;
    }
    Ok(())
}

/// What a module of ours requires of another is this version. In the source tree it is
/// replaced, so that nothing else would notice.
fn check_requirement(folder: &Path, version: &str) -> Result<(), Failure> {
    let path = folder.join("go.mod");
    let required = |line: &str| {
        line.trim()
            .strip_prefix("sivka.dev/go v")
            .map(str::to_owned)
    };
    match read_text(&path)?.lines().find_map(required) {
        Some(other) if other != version => Err(Failure::new(format!(
            "{} requires version {other}, not {version}",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn add(content: &mut Content, prefix: &str, folder: &Path, is_top: bool) -> Result<(), Failure> {
    if !is_top && folder.join("go.mod").exists() {
        return Ok(());
    }
    for path in listed(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" {
            add(content, &format!("{prefix}{name}/"), &path, false)?;
        } else if path.is_file() {
            content.add_copy(format!("{prefix}{name}"), &path)?;
        }
    }
    Ok(())
}

/// A program of a user's.
const PROGRAM: &str = r#"package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"sivka.dev/go"
	"sivka.dev/go/file"
	"sivka.dev/go/tink"
)

func main() {
	if sivka.Tier() == "go" {
		panic("the module has no machine code")
	}
	key, err := sivka.NewAES256GCMSIV(make([]byte, 32))
	if err != nil {
		panic(err)
	}
	sealed := key.SealRandom(nil, []byte("meet at noon"), nil)
	opened, err := key.OpenRandom(nil, sealed, nil)
	fmt.Printf("%s %v\n", opened, err)

	owner, err := file.GenerateKeyFile("user")
	if err != nil {
		panic(err)
	}
	var sink bytes.Buffer
	if _, err := file.Seal(&sink, bytes.NewReader(opened), []file.Key{owner}, nil); err != nil {
		panic(err)
	}
	r, err := file.NewReader(&sink, []file.Key{owner}, nil)
	if err != nil {
		panic(err)
	}
	opened, err = io.ReadAll(r)
	fmt.Printf("%s %v\n", opened, err)

	handle, err := keyset.NewHandle(aead.AES256GCMSIVKeyTemplate())
	if err != nil {
		panic(err)
	}
	primitive, err := tink.NewAEAD(handle)
	if err != nil {
		panic(err)
	}
	sealed, err = primitive.Encrypt(opened, nil)
	if err != nil {
		panic(err)
	}
	opened, err = primitive.Decrypt(sealed, nil)
	fmt.Printf("%s %v\n", opened, err)
}
"#;

/// Builds a program from the archive in `artifacts`, with Go alone on the PATH, and runs it.
pub(crate) fn try_out(artifacts: &Path, version: &str, place: &Path) -> Result<(), Failure> {
    let place = empty_folder(place)?;
    let proxy = place.join("proxy");
    let user = place.join("user");
    let mut manifest = "module user\n\ngo 1.24.0\n".to_owned();
    for module in &MODULES {
        offer(module, artifacts, version, &proxy)?;
        manifest += &format!("\nrequire {} v{version}\n", module.path);
    }
    write(&user.join("main.go"), PROGRAM)?;
    write(&user.join("go.mod"), manifest)?;
    // The others' modules come from where they always do.
    let others = capture(&mut program("go", &["env", "GOPROXY"]))?;
    let root = capture(&mut program("go", &["env", "GOROOT"]))?;
    let built: PathBuf = user.join("program");
    for arguments in [&["mod", "tidy"][..], &["build", "-o", "program", "."]] {
        let mut go = program("go", arguments);
        go.current_dir(&user)
            .env("PATH", Path::new(root.trim()).join("bin"));
        go.env("CGO_ENABLED", "0").env("GONOSUMDB", "sivka.dev");
        // What is kept can be removed with the folder.
        go.env("GOFLAGS", "-mod=mod -modcacherw");
        go.env("GOMODCACHE", place.join("cache"));
        // Go's build cache keeps a list of the packages of a version, which never changes for
        // its users. Here the version may have had others when it was tried before.
        go.env("GODEBUG", "goindex=0");
        let proxies = format!("file://{},{}", proxy.display(), others.trim());
        succeed(go.env("GOPROXY", proxies))?;
    }
    let said = capture(&mut program(&built.display().to_string(), &[]))?;
    for module in &MODULES {
        let unpacked = format!("{}@v{version}/LICENSE-MIT", module.path);
        if !read_text(&place.join("cache").join(unpacked))?.contains("MIT") {
            return Err(Failure::new(format!("{} has no licence", module.path)));
        }
    }
    if said == "meet at noon <nil>\n".repeat(3) {
        Ok(())
    } else {
        Err(Failure::new(format!("the program said: {said}")))
    }
}

/// Puts an archive where a module proxy has it.
fn offer(module: &Module, artifacts: &Path, version: &str, proxy: &Path) -> Result<(), Failure> {
    let versions = proxy.join(module.path).join("@v");
    let zip = versions.join(format!("v{version}.zip"));
    copy(&artifacts.join(module.file_name(version)), &zip)?;
    let content = Content::of_zip(&zip)?;
    let go_mod = format!("{}@v{version}/go.mod", module.path);
    let found = content.iter().find(|(name, _)| *name == go_mod);
    let (_, go_mod) = found.ok_or_else(|| Failure::new("the archive has no go.mod"))?;
    write(&versions.join(format!("v{version}.mod")), go_mod)?;
    let info = format!("{{\"Version\":\"v{version}\"}}");
    write(&versions.join(format!("v{version}.info")), info)?;
    write(&versions.join("list"), format!("v{version}\n"))
}
