//! What no command of a language says by itself.

use crate::files::read_text;
use crate::process::{Failure, capture, program, project_root};
use std::path::Path;

/// `gofmt` lists what it would write otherwise, and succeeds.
pub(super) fn gofmt() -> Result<(), Failure> {
    let mut gofmt = program("gofmt", &["-l", "."]);
    let listed = capture(gofmt.current_dir(project_root().join("bindings/go")))?;
    match listed.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(format!("gofmt would change {listed}"))),
    }
}

/// Whether the server of `pg_config` is here, and what builds extensions for it.
pub(super) fn has_postgresql() -> bool {
    let has = |option, file| {
        let output = program("pg_config", &[option]).output();
        let folder = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        folder.is_ok_and(|folder| Path::new(folder.trim()).join(file).exists())
    };
    has("--includedir-server", "postgres.h") && has("--bindir", "postgres")
}

/// What the packages of .NET and those of their symbols say of themselves, and have in them.
pub(super) fn packages_of_dotnet() -> Result<(), Failure> {
    let both = [
        "type=\"expression\">MIT OR Apache-2.0<",
        "<projectUrl>https://sivka.dev/<",
        "url=\"https://github.com/sivka-dev/sivka\"",
        "\"/README.md\"",
        "\"/LICENSE-APACHE\"",
        "\"/LICENSE-MIT\"",
    ];
    let targets = ["net8.0", "net10.0", "netstandard2.0"];
    for (package, targets) in [
        ("Sivka", &targets[..]),
        ("Sivka.DataProtection", &["net10.0"]),
    ] {
        let said = manifest(package, "")? + &manifest(package, ".symbols")?;
        let files = targets.iter().flat_map(|target| {
            ["dll", "xml", "pdb"].map(|kind| format!("\"lib/{target}/{package}.{kind}\""))
        });
        let native = (package == "Sivka").then(|| "\"runtimes/".to_owned());
        let mut wanted = both
            .map(str::to_owned)
            .into_iter()
            .chain(files)
            .chain(native);
        if let Some(lacks) = wanted.find(|one| !said.contains(one)) {
            return Err(Failure::new(format!("the package {package} lacks {lacks}")));
        }
    }
    Ok(())
}

/// What was written into a package when it was packed.
fn manifest(package: &str, kind: &str) -> Result<String, Failure> {
    let file = format!("{package}.{}{kind}.nuspec", env!("CARGO_PKG_VERSION"));
    let folder = project_root()
        .join("bindings/dotnet/artifacts/obj")
        .join(package);
    read_text(&folder.join("Release").join(file))
}

/// The examples of .NET, compiled ahead of time, print what they print otherwise.
pub(super) fn ahead_of_time() -> Result<(), Failure> {
    let artifacts = project_root().join("bindings/dotnet/artifacts");
    let usual = artifacts.join("bin/Sivka.Examples/release_net8.0/Sivka.Examples.dll");
    let expected = capture(program("dotnet", &["exec"]).arg(usual))?;
    let native = "ahead-of-time/publish/Sivka.Examples/release_net8.0/Sivka.Examples";
    let native = artifacts.join(native).display().to_string();
    let given = capture(&mut program(&native, &[]))?;
    match !expected.is_empty() && expected == given {
        true => Ok(()),
        false => Err(Failure::new(format!("prints\n{given}and not\n{expected}"))),
    }
}
