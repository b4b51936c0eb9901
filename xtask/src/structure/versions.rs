//! The version stands in the workspace's `Cargo.toml`; every other place has the same one.

use crate::files::read_text;
use crate::process::{Failure, project_root};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A file, and the line that has the version in it, as `@`; twice where it is there twice.
const PLACES: &str = r#"
    Cargo.toml: sivka = { path = "core", version = "@" }
    Cargo.toml: sivka-file = { path = "file", version = "@" }
    Cargo.toml: sivka-keyset = { path = "keyset", version = "@" }
    bindings/dotnet/Directory.Build.props: <Version>@</Version>
    bindings/dotnet/README.md: Sivka.@.nupkg
    bindings/dotnet/README.md: add package Sivka --version @ -
    bindings/java/README.md: <version>@</version>
    bindings/go/tink/go.mod: sivka.dev/go v@
    bindings/java/pom.xml: <version>@</version>
    bindings/java/sivka/pom.xml: <version>@</version>
    bindings/java/benchmark/pom.xml: <version>@</version>
    bindings/java/sivka/src/main/java/dev/sivka/SivkaProvider.java: super(NAME, "@",
    bindings/java/benchmark/src/test/java/dev/sivka/benchmark/PackageTest.java: target/sivka-@"
    ffi/include/sivka.h: #define SIVKA_VERSION "@"
    integrations/duckdb/build.py: parser.add_argument("--version", default="@")
    integrations/postgresql/Makefile: DATA = sivka--@.sql
    integrations/postgresql/sivka.control: default_version = '@'
    integrations/postgresql/tests/test_readme.py: "sivka--@.sql"
    integrations/spark/pom.xml: <version>@</version>
    integrations/spark/pom.xml: <version>@</version>
    integrations/spark/spark3.5_2.12/pom.xml: <version>@</version>
    integrations/spark/spark3.5_2.13/pom.xml: <version>@</version>
    integrations/spark/spark4_2.13/pom.xml: <version>@</version>
    integrations/spark/python/test.py: target/sivka-spark4_2.13-@.jar",
    integrations/spark/python/test.py: target/sivka-@.jar",
    integrations/spark/src/main/java/dev/sivka/spark/FunctionHelp.java: "@",
"#;

/// Files with another version, or without a required one.
pub(super) fn check() -> Result<Vec<String>, Failure> {
    let mut violations = Vec::new();
    for place in PLACES.lines().map(str::trim) {
        let Some((file, line)) = place.split_once(": ") else {
            continue;
        };
        let wanted = line.replace('@', VERSION);
        let times = PLACES.lines().filter(|each| each.trim() == place).count();
        let text = read_text(&project_root().join(file))?;
        if text.matches(&wanted).count() < times {
            violations.push(format!("{file}: no `{wanted}`: the version is {VERSION}"));
        }
    }
    Ok(violations)
}
