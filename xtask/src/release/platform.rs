//! The platforms that a release is for, and what each is called by whom.

/// What decides how a library is linked, and where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// Any Linux with glibc 2.17 (2012) or newer.
    Glibc,
    Musl,
    Windows,
    MacOs,
}

/// A CPU with a system.
#[derive(Debug)]
pub(crate) struct Platform {
    /// In the names of archives, and of folders in the jar (`Library.platform()` in Java).
    pub(crate) name: &'static str,
    pub(crate) system: System,
    /// Rust's name for it, ...
    pub(crate) target: &'static str,
    /// ... Zig's, with the version of its C library, ...
    pub(crate) zig: &'static str,
    /// ... that of .NET, ...
    pub(crate) rid: &'static str,
    /// ... and those of Python's wheels, sorted, the one by its version of glibc last.
    pub(crate) wheel: &'static str,
}

pub(crate) const PLATFORMS: [Platform; 7] = [
    Platform {
        name: "linux-x86_64",
        system: System::Glibc,
        target: "x86_64-unknown-linux-gnu",
        zig: "x86_64-linux-gnu.2.17",
        rid: "linux-x64",
        wheel: "manylinux2014_x86_64.manylinux_2_17_x86_64",
    },
    Platform {
        name: "linux-aarch64",
        system: System::Glibc,
        target: "aarch64-unknown-linux-gnu",
        zig: "aarch64-linux-gnu.2.17",
        rid: "linux-arm64",
        wheel: "manylinux2014_aarch64.manylinux_2_17_aarch64",
    },
    Platform {
        name: "linux-x86_64-musl",
        system: System::Musl,
        target: "x86_64-unknown-linux-musl",
        zig: "x86_64-linux-musl",
        rid: "linux-musl-x64",
        wheel: "musllinux_1_2_x86_64",
    },
    Platform {
        name: "linux-aarch64-musl",
        system: System::Musl,
        target: "aarch64-unknown-linux-musl",
        zig: "aarch64-linux-musl",
        rid: "linux-musl-arm64",
        wheel: "musllinux_1_2_aarch64",
    },
    Platform {
        name: "windows-x86_64",
        system: System::Windows,
        target: "x86_64-pc-windows-gnu",
        zig: "x86_64-windows-gnu",
        rid: "win-x64",
        wheel: "win_amd64",
    },
    Platform {
        name: "macos-aarch64",
        system: System::MacOs,
        target: "aarch64-apple-darwin",
        zig: "aarch64-macos.11.0",
        rid: "osx-arm64",
        wheel: "macosx_11_0_arm64",
    },
    Platform {
        name: "macos-x86_64",
        system: System::MacOs,
        target: "x86_64-apple-darwin",
        zig: "x86_64-macos.11.0",
        rid: "osx-x64",
        wheel: "macosx_11_0_x86_64",
    },
];

impl Platform {
    /// The target as `cargo zigbuild` takes it, with the version of glibc.
    pub(crate) fn cargo_target(&self) -> String {
        match self.zig.split_once("gnu.") {
            Some((_, version)) => format!("{}.{version}", self.target),
            None => self.target.to_owned(),
        }
    }

    pub(crate) fn is_aarch64(&self) -> bool {
        self.target.starts_with("aarch64")
    }

    /// The name of a shared library there.
    pub(crate) fn shared_library(&self, name: &str) -> String {
        match self.system {
            System::Glibc | System::Musl => format!("lib{name}.so"),
            System::Windows => format!("{name}.dll"),
            System::MacOs => format!("lib{name}.dylib"),
        }
    }

    /// The name of a program there.
    pub(crate) fn program(&self, name: &str) -> String {
        match self.system {
            System::Windows => format!("{name}.exe"),
            _ => name.to_owned(),
        }
    }
}
