//! What is compiled for a platform: once by Cargo, and what is in C linked with that by Zig.

use super::duckdb;
use super::platform::{Platform, System};
use super::tools::Tools;
use super::tree::Tree;
use crate::files::{copy, listed, read_text, write};
use crate::install;
use crate::process::{Failure, capture, program, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The libraries and the program of one platform.
pub(crate) struct Built {
    pub(crate) platform: &'static Platform,
    pub(crate) command: PathBuf,
    pub(crate) archive: PathBuf,
    pub(crate) shared: PathBuf,
    /// For Windows: what programs that use the shared library are linked with.
    pub(crate) import: Option<PathBuf>,
    pub(crate) java: PathBuf,
    pub(crate) python: PathBuf,
    /// DuckDB's extension, without its footer.
    pub(crate) duckdb: PathBuf,
    /// What a program that links the archive links as well.
    pub(crate) static_libs: String,
}

/// Warnings of the compilers are for the checks; an undeclared function would be taken to
/// return an int.
const C_FLAGS: [&str; 5] = [
    "-O2",
    "-g0",
    "-fvisibility=hidden",
    "-ffunction-sections",
    "-Werror=implicit-function-declaration",
];

/// Builds everything for a platform.
pub(crate) fn build(
    platform: &'static Platform,
    tools: &Tools,
    tree: &Tree,
) -> Result<Built, Failure> {
    let mut cargo = tools.cargo_zigbuild();
    cargo.args([
        "--release",
        "--locked",
        "--target",
        &platform.cargo_target(),
    ]);
    cargo.args(["-p", "sivka-cli", "-p", "sivka-ffi"]);
    succeed(tree.settle(&mut cargo))?;
    let release = tree.target().join(platform.target).join("release");
    let linker = Linker {
        platform,
        tools,
        tree,
        archive: release.join("libsivka_ffi.a"),
        libraries: install::native_libraries(Some(platform.target))?,
        folder: tree.work.join("linked").join(platform.name),
    };
    fs::create_dir_all(&linker.folder).map_err(|e| crate::files::about(&linker.folder, &e))?;
    let cargo_shared = release.join(platform.shared_library("sivka_ffi"));
    // Cargo makes no shared library for a C library that is linked statically, and one for
    // Windows has its name in it.
    let shared = match platform.system {
        System::Glibc | System::MacOs => cargo_shared,
        System::Musl | System::Windows => linker.c_library()?,
    };
    let import = (platform.system == System::Windows).then(|| linker.import());
    Ok(Built {
        platform,
        command: release.join(platform.program("sivka")),
        shared,
        import,
        java: linker.java()?,
        python: linker.python()?,
        duckdb: linker.duckdb()?,
        static_libs: install::tidy(&linker.libraries),
        archive: linker.archive,
    })
}

/// Links shared libraries of one platform from the archive that Cargo made.
struct Linker<'a> {
    platform: &'static Platform,
    tools: &'a Tools,
    tree: &'a Tree,
    archive: PathBuf,
    libraries: String,
    folder: PathBuf,
}

impl Linker<'_> {
    /// The C library by itself.
    fn c_library(&self) -> Result<PathBuf, Failure> {
        let header = self.tree.source.join("ffi/include/sivka.h");
        let functions = functions(&read_text(&header)?);
        let out = self.folder.join(self.platform.shared_library("sivka"));
        let mut command = self.tools.c_compiler(self.platform);
        if self.platform.system == System::Windows {
            command.arg(self.definitions("sivka.dll", &functions)?);
            command.arg(format!("-Wl,--out-implib,{}", self.import().display()));
            command.arg(&self.archive);
        } else {
            let abi = install::abi_version(&read_text(&header)?)?;
            command.arg(format!("-Wl,-soname,libsivka.so.{abi}"));
            command.args([Path::new("-Wl,--whole-archive"), &self.archive]);
            command.arg("-Wl,--no-whole-archive");
        }
        self.link(&mut command, &out, &functions)
    }

    fn import(&self) -> PathBuf {
        self.folder.join("libsivka.dll.a")
    }

    /// The library of the Java package, by the JDK's headers, which differ in nothing that
    /// is used on any of the platforms.
    fn java(&self) -> Result<PathBuf, Failure> {
        let home = crate::jdk::oldest()?;
        let sources = self.tree.source.join("bindings/java/sivka/src/main/c");
        let out = self.folder.join(self.platform.shared_library("sivka_java"));
        let mut command = self.compiler(&sources, "c99")?;
        for headers in ["include", "include/linux"] {
            command.arg("-I").arg(home.join(headers));
        }
        if self.platform.system == System::Windows {
            command.arg("-DJNIEXPORT=__declspec(dllexport)");
        }
        command.arg(&self.archive);
        let exported = ["JNI_OnLoad", "JNI_OnUnload"].map(str::to_owned);
        self.link(&mut command, &out, &exported)
    }

    /// The extension of the Python package, for the stable interface of CPython 3.11.
    fn python(&self) -> Result<PathBuf, Failure> {
        let sources = self.tree.source.join("bindings/python/src/native");
        let windows = self.platform.system == System::Windows;
        let name = if windows {
            "_native.pyd"
        } else {
            "_native.abi3.so"
        };
        let mut command = self.compiler(&sources, "c11")?;
        command.args(["-DPy_LIMITED_API=0x030B0000", "-DNDEBUG"]);
        command.arg("-I").arg(self.python_headers()?);
        command.arg(&self.archive);
        match self.platform.system {
            System::Windows => {
                command.arg(self.python_import()?);
            }
            System::MacOs => {
                command.arg("-Wl,-undefined,dynamic_lookup");
            }
            System::Glibc | System::Musl => {}
        }
        let exported = ["PyInit__native".to_owned()];
        let out = self.link(&mut command, &self.folder.join(name), &exported)?;
        if self.platform.system == System::Musl {
            // Wheels are for Alpine's name of musl's library (PEP 656); its loader takes both.
            let (cpu, _) = self.platform.zig.split_once('-').unwrap_or_default();
            let mut patchelf = self.tools.patchelf();
            patchelf.args(["--replace-needed", "libc.so"]);
            succeed(patchelf.arg(format!("libc.musl-{cpu}.so.1")).arg(&out))?;
        }
        Ok(out)
    }

    /// DuckDB's extension, which takes DuckDB's functions from a table at run time.
    fn duckdb(&self) -> Result<PathBuf, Failure> {
        let mut command = self.compiler(&duckdb::sources(self.tree), "gnu11")?;
        command.args(duckdb::compiler_arguments(self.tools, self.tree)?);
        command.arg(&self.archive);
        let out = self
            .folder
            .join(self.platform.shared_library("sivka_duckdb"));
        self.link(&mut command, &out, &[duckdb::ENTRY.to_owned()])
    }

    /// The compiler with the C files of a folder, which is also where their headers are.
    fn compiler(&self, sources: &Path, standard: &str) -> Result<Command, Failure> {
        let mut command = self.tools.c_compiler(self.platform);
        command.arg(format!("-std={standard}")).args(C_FLAGS);
        command.args(self.tree.c_flags());
        command.arg("-I").arg(sources);
        command.arg("-I").arg(self.tree.source.join("ffi/include"));
        command.args(files(sources, "c")?);
        Ok(command)
    }

    /// Ends a command that compiles or names what is linked: nothing but `exported` is seen
    /// from outside, but on macOS, where Zig's linker takes no list.
    fn link(
        &self,
        command: &mut Command,
        out: &Path,
        exported: &[String],
    ) -> Result<PathBuf, Failure> {
        command.arg("-Wl,-s");
        if self.platform.system == System::MacOs {
            command.args(["-dynamiclib", "-Wl,-dead_strip"]);
            let name = out.file_name().unwrap_or_default().to_string_lossy();
            command.arg(format!("-Wl,-install_name,@rpath/{name}"));
        } else {
            command.args(["-shared", "-Wl,--gc-sections"]);
        }
        if let System::Glibc | System::Musl = self.platform.system {
            let list = out.with_extension("exports");
            let text = format!("{{ global: {}; local: *; }};\n", exported.join("; "));
            write(&list, text.as_bytes())?;
            command.args(["-fPIC", "-Wl,-z,now", "-Wl,-z,relro"]);
            // CPython is there when the extension is loaded, and not now.
            if !exported.iter().any(|name| name.starts_with("Py")) {
                command.arg("-Wl,-z,defs");
            }
            command.arg(format!("-Wl,--version-script={}", list.display()));
        }
        // The unwinder goes into the library.
        let libraries = self.libraries.split_whitespace();
        command.args(libraries.filter(|name| !matches!(*name, "-lgcc_s" | "-lunwind")));
        if self.platform.system != System::MacOs {
            command.arg("-lunwind");
        }
        succeed(self.tree.settle(command).arg("-o").arg(out))?;
        Ok(out.to_owned())
    }

    /// A list of functions as the linker for Windows reads it.
    fn definitions(&self, library: &str, functions: &[String]) -> Result<PathBuf, Failure> {
        let path = self.folder.join(library).with_extension("def");
        let text = format!("LIBRARY {library}\nEXPORTS\n{}\n", functions.join("\n"));
        write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// What an extension is linked with to find CPython on Windows: everything that the
    /// headers of the stable interface name, since macros stand for more than sources show.
    fn python_import(&self) -> Result<PathBuf, Failure> {
        let mut names = Vec::new();
        for path in files(&self.python_headers()?, "h")? {
            names.extend(python_names(&read_text(&path)?));
        }
        names.sort();
        names.dedup();
        let definitions = self.definitions("python3.dll", &names)?;
        let library = self.folder.join("libpython3.a");
        let mut dlltool = self.tools.import_library();
        dlltool.args(["-m", "i386:x86-64", "-d"]).arg(definitions);
        succeed(self.tree.settle(&mut dlltool).arg("-l").arg(&library))?;
        Ok(library)
    }

    /// CPython's headers, as for a platform whose CPython is not here.
    fn python_headers(&self) -> Result<PathBuf, Failure> {
        let mut python = self.tools.python();
        python.args([
            "-c",
            "import sysconfig; print(sysconfig.get_path('include'))",
        ]);
        let from = capture(&mut python)?;
        let to = self.tree.work.join("python-headers");
        if !to.exists() {
            succeed(program("cp", &["-R", from.trim()]).arg(&to))?;
        }
        let own = self.tree.source.join("xtask/src/release/pyconfig.h");
        copy(&own, &to.join("pyconfig.h"))?;
        Ok(to)
    }
}

/// The files of a folder with an extension, in order.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut files = listed(folder)?;
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    Ok(files)
}

/// The functions that a header declares.
fn functions(header: &str) -> Vec<String> {
    let mut names: Vec<String> = words(header)
        .filter(|(word, next)| word.starts_with("sivka_") && *next == Some('('))
        .map(|(word, _)| word.to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// What a text names of CPython: a name too many is only a line in a list.
fn python_names(source: &str) -> impl Iterator<Item = String> {
    let is_python = |word: &&str| word.starts_with("Py") || word.starts_with("_Py");
    words(source)
        .map(|(word, _)| word)
        .filter(is_python)
        .map(str::to_owned)
}

/// Each word, and the character after it.
fn words(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let is_other = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(is_other)
        .filter(|word| !word.is_empty())
        .map(move |word| {
            // Both are slices of one text.
            let end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
            (word, text[end..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::{functions, python_names};

    #[test]
    fn headers_declare_functions() {
        let header = "typedef struct sivka_key sivka_key;\nsivka_status sivka_seal(\n    const sivka_key *key);\n";
        assert_eq!(functions(header), ["sivka_seal"]);
    }

    #[test]
    fn sources_name_what_they_use_of_python() {
        let names: Vec<String> = python_names("return PyErr_NoMemory(), Py_None;").collect();
        assert_eq!(names, ["PyErr_NoMemory", "Py_None"]);
    }
}
