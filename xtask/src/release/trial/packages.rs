//! The packages for Python, Java and .NET, installed as by their users.

use super::super::platform::{Platform, System};
use super::{Trial, host};
use crate::files::{read_text, write};
use crate::process::{Failure, Tally, capture, program, project_root, succeed};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const PYTHON: &str = "
import sivka
key = sivka.AESGCMSIV(sivka.AESGCMSIV.generate_key(256))
sealed = key.seal(b'meet at noon', b'to Alice')
print(key.open(sealed, b'to Alice').decode())
";

const DOTNET_PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include=\"Sivka\" Version=\"@VERSION@\" />
  </ItemGroup>
</Project>
";

impl Trial<'_> {
    /// Installed by pip in a new environment where it can run, and unpacked by pip as for
    /// its platform elsewhere; auditwheel judges what is for Linux.
    pub(super) fn wheel(&self, platform: &'static Platform) -> Result<(), Failure> {
        let name = format!("sivka-{}-cp311-abi3-{}.whl", self.version, platform.wheel);
        let wheel = self.artifacts.join(&name);
        if let System::Glibc | System::Musl = platform.system {
            let mut auditwheel = self.tools.python();
            auditwheel.args(["-m", "auditwheel", "show"]);
            if platform.system == System::Musl {
                // By itself it knows one musl in a system only.
                auditwheel.args(["--ldpaths", &format!("/usr/lib/{}", platform.zig)]);
            }
            let said = capture(auditwheel.arg(&wheel))?;
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let tag = platform.wheel.rsplit('.').next().unwrap_or_default();
            let wanted = format!("consistent with the following platform tag: \"{tag}\"");
            if !said.contains(&wanted) {
                return Err(Failure::new(format!("auditwheel says of {name}: {said}")));
            }
        }
        let place = self.place(&name)?;
        if platform.name != host().name {
            return self.unpack_wheel(platform, &wheel, &place);
        }
        let environment = place.join("venv");
        let mut make = program("python3", &["-m", "venv"]);
        succeed(make.arg(&environment))?;
        let python = || Command::new(environment.join("bin/python"));
        let mut install = python();
        install.args(["-m", "pip", "install", "--quiet", "--no-index"]);
        succeed(install.arg(&wheel))?;
        succeed(python().args(["-m", "pip", "check"]))?;
        let said = capture(
            python()
                .args(["-I", "-W", "error", "-c", PYTHON])
                .current_dir(&place),
        )?;
        opened(&name, &said)
    }

    fn unpack_wheel(&self, platform: &Platform, wheel: &Path, place: &Path) -> Result<(), Failure> {
        let mut pip = self.tools.python();
        pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]);
        pip.args(["--implementation", "cp", "--python-version", "3.11"]);
        pip.args(["--abi", "abi3", "--only-binary", ":all:"]);
        for tag in platform.wheel.split('.') {
            pip.args(["--platform", tag]);
        }
        succeed(pip.arg("--target").arg(place).arg(wheel))
    }

    /// The program of the README, on every JDK that is here.
    pub(super) fn jar(&self, tally: &mut Tally) {
        for (version, home) in crate::jdk::installed() {
            let name = format!("the jar seals on JDK {version}");
            tally.add_check(&name, &self.jar_on(version, &home));
        }
    }

    fn jar_on(&self, version: u32, home: &Path) -> Result<(), Failure> {
        let place = self.place(&format!("jar-{version}"))?;
        let source = of_readme("bindings/java/README.md", "```java\n")?;
        write(&place.join("Message.java"), source.as_bytes())?;
        let jar = self.artifacts.join(format!("sivka-{}.jar", self.version));
        let mut java = Command::new(home.join("bin/java"));
        if version >= 22 {
            java.arg("--enable-native-access=ALL-UNNAMED");
        }
        java.arg("-cp").arg(jar).arg("Message.java");
        let said = capture(java.current_dir(&place))?;
        opened("the jar", &said)
    }

    /// A program that takes the package from the folder of artifacts.
    pub(super) fn nuget(&self) -> Result<(), Failure> {
        let place = self.place("dotnet")?;
        let project = DOTNET_PROJECT.replace("@VERSION@", self.version);
        write(&place.join("Trial.csproj"), project.as_bytes())?;
        let source = of_readme("bindings/dotnet/README.md", "```csharp\n")?;
        write(&place.join("Message.cs"), source.as_bytes())?;
        let mut sources = self.artifacts.display().to_string();
        if let Ok(more) = env::var("RestoreSources") {
            sources = format!("{sources};{more}");
        }
        let built: PathBuf = place.join("out");
        let mut build = program("dotnet", &["build", "--configuration", "Release"]);
        build
            .args([
                "-nodeReuse:false",
                "-p:UseSharedCompilation=false",
                "--output",
            ])
            .arg(&built)
            .env("RestoreSources", sources)
            // A package of this version may have been used here before.
            .env("NUGET_PACKAGES", place.join("packages"))
            .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
            .env("DOTNET_NOLOGO", "1");
        succeed(build.current_dir(&place))?;
        let mut run = program("dotnet", &["exec"]);
        let said = capture(run.arg(built.join("Trial.dll")))?;
        opened("the .NET package", &said)
    }
}

/// The class `Message` of a README.
fn of_readme(readme: &str, start: &str) -> Result<String, Failure> {
    let text = read_text(&project_root().join(readme))?;
    let found = text
        .split(start)
        .find(|part| part.contains("class Message"))
        .and_then(|part| part.split("```").next());
    found
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("{readme} has no class Message")))
}

pub(super) fn opened(what: &str, said: &str) -> Result<(), Failure> {
    if said.trim_end() == "meet at noon" {
        Ok(())
    } else {
        Err(Failure::new(format!("{what}: the program said `{said}`")))
    }
}
