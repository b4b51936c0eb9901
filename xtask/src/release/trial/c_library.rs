//! A C program against the library of an archive, found by pkg-config and by CMake.

use super::super::platform::{Platform, System};
use super::{Trial, start};
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
            let name = platform.program(&format!("seal-{linking}"));
            // Beside the DLL, which Windows looks for there.
            let out = prefix.join("bin").join(name);
            crate::files::make_folder(&out)?;
            self.compile(platform, &prefix, linking == "static", &out)?;
            run(platform, &prefix, &out)?;
        }
        if platform.system == System::Glibc && !platform.is_aarch64() {
            with_cmake(&prefix)?;
        }
        Ok(())
    }

    fn compile(
        &self,
        platform: &'static Platform,
        prefix: &Path,
        is_static: bool,
        out: &Path,
    ) -> Result<(), Failure> {
        let mut compiler = match (platform.system, platform.is_aarch64()) {
            (System::Glibc, false) => program("cc", &[]),
            (System::Glibc, true) => program("aarch64-linux-gnu-gcc", &[]),
            (System::Windows, _) => program(crate::emulated::windows::COMPILER, &[]),
            (System::Musl | System::MacOs, _) => {
                let mut zig = self.tools.c_compiler(platform);
                // Otherwise Zig links checks that call what older versions of musl do not have.
                zig.arg("-fno-sanitize=undefined");
                zig
            }
        };
        compiler
            .args(["-std=c99", "-Wall", "-Werror"])
            .arg("-o")
            .arg(out);
        compiler.arg(project_root().join(EXAMPLE));
        let flags = flags(prefix, is_static)?;
        for flag in flags.split_whitespace() {
            match flag {
                "-lsivka" if is_static => compiler.arg(prefix.join("lib/libsivka.a")),
                // Zig has no unwinder of GCC's, but its own.
                "-lgcc_eh" if platform.system == System::Musl => compiler.arg("-lunwind"),
                flag => compiler.arg(flag),
            };
        }
        if !is_static && platform.system != System::Windows {
            compiler.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
        }
        if !is_static && platform.system == System::Musl {
            compiler.arg("-dynamic");
        }
        succeed(&mut compiler)
    }
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
fn run(platform: &Platform, prefix: &Path, path: &Path) -> Result<(), Failure> {
    if platform.system == System::Windows {
        crate::emulated::windows::library(&prefix.join("bin"))?;
    }
    let Some(mut command) = start(platform, path) else {
        return Ok(());
    };
    let said = capture(&mut command)?;
    print!("{said}");
    if said.contains("a record, number 1") {
        Ok(())
    } else {
        Err(Failure::new(format!("{} says `{said}`", path.display())))
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
    for name in ["with_shared", "with_static"] {
        let said = capture(&mut Command::new(build.join(name)))?;
        if !said.contains("a record, number 1") {
            return Err(Failure::new(format!("{name} says `{said}`")));
        }
    }
    Ok(())
}
