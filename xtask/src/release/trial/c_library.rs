//! A C program against the library of an archive, found by pkg-config and by CMake.

use super::super::platform::Platform;
use super::Trial;
use crate::files::{read_text, write};
use crate::process::{Failure, capture, program, project_root, succeed};
use std::path::Path;
use std::process::Command;

const EXAMPLE: &str = "ffi/examples/in_place.c";

impl Trial<'_> {
    pub(super) fn c_library(&self, platform: &'static Platform) -> Result<(), Failure> {
        let prefix = self.unpack("libsivka", platform)?;
        read_text(&prefix.join("share/doc/libsivka/THIRD-PARTY.txt"))?;
        for linking in ["shared", "static"] {
            let out = prefix.join(format!("seal-{linking}"));
            compile(&prefix, linking == "static", &out)?;
            seals(&out)?;
        }
        with_cmake(&prefix)
    }
}

fn compile(prefix: &Path, is_static: bool, out: &Path) -> Result<(), Failure> {
    let mut compiler = program("cc", &["-std=c99", "-Wall", "-Werror", "-o"]);
    compiler.arg(out).arg(project_root().join(EXAMPLE));
    let flags = flags(prefix, is_static)?;
    for flag in flags.split_whitespace() {
        match flag {
            "-lsivka" if is_static => compiler.arg(prefix.join("lib/libsivka.a")),
            flag => compiler.arg(flag),
        };
    }
    if !is_static {
        compiler.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    }
    succeed(&mut compiler)
}

/// What pkg-config says; it must name the folder in which the archive was unpacked.
fn flags(prefix: &Path, is_static: bool) -> Result<String, Failure> {
    let mut command = program("pkg-config", &["--cflags", "--libs", "sivka"]);
    if is_static {
        command.arg("--static");
    }
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    capture(&mut command)
}

/// Runs the program, which opens what it has sealed.
fn seals(path: &Path) -> Result<(), Failure> {
    let said = capture(&mut Command::new(path))?;
    match said.contains("a record, number 1") {
        true => Ok(()),
        false => Err(Failure::new(format!("{} says `{said}`", path.display()))),
    }
}

fn with_cmake(prefix: &Path) -> Result<(), Failure> {
    let project = prefix.join("cmake-project");
    let example = project_root().join(EXAMPLE);
    let text = format!(
        "cmake_minimum_required(VERSION 3.13)\nproject(trial C)\nfind_package(sivka 0.1 REQUIRED)\n\
         add_executable(with_shared {0})\ntarget_link_libraries(with_shared PRIVATE sivka::sivka)\n\
         add_executable(with_static {0})\ntarget_link_libraries(with_static PRIVATE sivka::static)\n",
        example.display()
    );
    write(&project.join("CMakeLists.txt"), text.as_bytes())?;
    let build = project.join("build");
    let mut configure = program("cmake", &["-S"]);
    configure.arg(&project).arg("-B").arg(&build);
    configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    succeed(&mut configure)?;
    succeed(program("cmake", &["--build"]).arg(&build))?;
    ["with_shared", "with_static"]
        .iter()
        .try_for_each(|name| seals(&build.join(name)))
}
