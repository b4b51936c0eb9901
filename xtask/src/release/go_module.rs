//! The Go module, as the module proxy has it, and a program that is built from it where there
//! is no C compiler.

use super::archive::{Content, Zip};
use crate::files::{copy, empty_folder, listed, read_text, write};
use crate::process::{Failure, capture, program, succeed};
use std::path::{Path, PathBuf};
use zip::CompressionMethod;

/// The module that the project's address gives.
const MODULE: &str = "sivka.dev/go";

/// The file of a version of the module.
pub(crate) fn file_name(version: &str) -> String {
    format!("sivka-go-{version}.zip")
}

/// Writes the module in `source/bindings/go` as a zip archive. Nested modules are none of it.
pub(crate) fn write_zip(
    source: &Path,
    out: &Path,
    version: &str,
    time: u64,
) -> Result<(), Failure> {
    let mut content = Content::default();
    add(&mut content, "", &source.join("bindings/go"), true)?;
    let zip = Zip {
        prefix: &format!("{MODULE}@v{version}/"),
        first: &[],
        method: CompressionMethod::Deflated,
        time,
    };
    content.write_zip(&out.join(file_name(version)), &zip)
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

	"sivka.dev/go"
	"sivka.dev/go/file"
)

func main() {
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
}
"#;

/// Builds a program from the archive in `artifacts`, with Go alone on the PATH, and runs it.
pub(crate) fn try_out(artifacts: &Path, version: &str, place: &Path) -> Result<(), Failure> {
    let place = empty_folder(place)?;
    let proxy = place.join("proxy");
    let versions = proxy.join(MODULE).join("@v");
    let zip = versions.join(format!("v{version}.zip"));
    copy(&artifacts.join(file_name(version)), &zip)?;
    let content = Content::of_zip(&zip)?;
    let go_mod = format!("{MODULE}@v{version}/go.mod");
    let found = content.iter().find(|(name, _)| *name == go_mod);
    let (_, go_mod) = found.ok_or_else(|| Failure::new("the archive has no go.mod"))?;
    write(&versions.join(format!("v{version}.mod")), go_mod)?;
    let info = format!("{{\"Version\":\"v{version}\"}}");
    write(&versions.join(format!("v{version}.info")), info)?;
    write(&versions.join("list"), format!("v{version}\n"))?;

    let user = place.join("user");
    write(&user.join("main.go"), PROGRAM)?;
    let manifest = format!("module user\n\ngo 1.24.0\n\nrequire {MODULE} v{version}\n");
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
    let licence = format!("{MODULE}@v{version}");
    let licence = place.join("cache").join(licence).join("LICENSE-MIT");
    if said == "meet at noon <nil>\n".repeat(2) && read_text(&licence)?.contains("MIT") {
        Ok(())
    } else {
        Err(Failure::new(format!("the program said: {said}")))
    }
}
