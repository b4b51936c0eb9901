//! What every artifact is made with, and what many of them have in common.

use super::archive::{Content, Entry, Zip};
use super::compile::Built;
use super::licences::Licences;
use super::platform::{Platform, System};
use super::tools::Tools;
use super::tree::Tree;
use crate::process::Failure;
use std::path::{Path, PathBuf};
use zip::CompressionMethod;

/// What every artifact is made with.
pub(crate) struct Packer<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) tools: &'a Tools,
    pub(crate) licences: &'a Licences,
    pub(crate) built: &'a [Built],
    /// Where the artifacts go.
    pub(crate) out: &'a Path,
    pub(crate) version: &'a str,
}

impl Packer<'_> {
    /// What was built for the machine that this runs on: it makes what is the same for all.
    pub(super) fn here(&self) -> Result<&Built, Failure> {
        let here = |built: &&Built| built.platform.name == super::HERE;
        let found = self.built.iter().find(here);
        found.ok_or_else(|| Failure::new(format!("{} was not built", super::HERE)))
    }

    pub(super) fn add_documents(
        &self,
        content: &mut Content,
        package: &str,
        readme: &str,
    ) -> Result<(), Failure> {
        let folder = format!(
            "share/doc/{}",
            if package == "sivka-cli" {
                "sivka"
            } else {
                "libsivka"
            }
        );
        content.add_copy(
            format!("{folder}/README.md"),
            &self.tree.source.join(readme),
        )?;
        for (name, text) in self.licences.files(package)? {
            content.add(format!("{folder}/{name}"), Entry::File(text));
        }
        Ok(())
    }

    /// Writes `.tar.gz`, or `.zip` for Windows, with everything in one folder.
    pub(super) fn archive(
        &self,
        content: &Content,
        what: &str,
        platform: &Platform,
    ) -> Result<(), Failure> {
        let name = format!("{what}-{}-{}", self.version, platform.name);
        if platform.system == System::Windows {
            let zip = Zip {
                prefix: &format!("{name}/"),
                first: &[],
                method: CompressionMethod::Deflated,
                time: self.tree.time,
            };
            return content.write_zip(&self.out.join(format!("{name}.zip")), &zip);
        }
        let path = self.out.join(format!("{name}.tar.gz"));
        content.write_tar(&path, &name, self.tree.time)
    }

    pub(super) fn wheel_name(&self, platform: &Platform) -> String {
        format!("sivka-{}-cp311-abi3-{}.whl", self.version, platform.wheel)
    }

    /// An empty folder beside what is built.
    pub(super) fn fresh(&self, name: &str) -> Result<PathBuf, Failure> {
        crate::files::empty_folder(&self.tree.work.join(name))
    }
}
