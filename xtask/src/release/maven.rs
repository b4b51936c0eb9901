//! The jars of Spark's functions, and what Maven Central takes: every file of Maven's, with
//! its checksums and, where a key is given, its signature, as one archive for upload.

use super::archive::{Content, Entry, Zip};
use super::packer::Packer;
use crate::files::{listed, read, write};
use crate::process::{Failure, capture, program, succeed};
use std::path::{Path, PathBuf};
use zip::CompressionMethod;

const GROUP: &str = "dev/sivka";
/// The modules for lines of Spark; each is an artifact of this name after `sivka-`.
pub(crate) const SPARKS: [&str; 3] = ["spark3.5_2.12", "spark3.5_2.13", "spark4_2.13"];
const KINDS: [&str; 3] = ["", "-sources", "-javadoc"];

impl Packer<'_> {
    /// A jar for each line of Spark, with those of its sources and documentation. They are the
    /// same for all platforms: what is native is in the jar of [`Self::jars`].
    pub(crate) fn spark_jars(&self) -> Result<(), Failure> {
        let folder = self.tree.source.join("integrations/spark");
        let mut maven = program("mvn", &["--quiet", "--batch-mode", "package"]);
        maven.args(["-Dmaven.test.skip=true", "-Prelease"]);
        let maven = self.tree.settle(&mut maven);
        maven.env("JAVA_HOME", crate::jdk::oldest()?);
        succeed(maven.current_dir(&folder))?;
        for module in SPARKS {
            for kind in KINDS {
                let name = format!("sivka-{module}-{}{kind}.jar", self.version);
                let jar = Content::of_zip(&folder.join(module).join("target").join(&name))?;
                let zip = Zip {
                    prefix: "",
                    first: &["META-INF/MANIFEST.MF"],
                    method: CompressionMethod::Deflated,
                    time: self.tree.time,
                };
                jar.write_zip(&self.out.join(name), &zip)?;
            }
        }
        Ok(())
    }

    /// What is uploaded to Maven Central; with a key, also a signature for each file.
    pub(crate) fn maven_bundle(&self, signing_key: Option<&str>) -> Result<(), Failure> {
        let work = self.fresh("maven")?;
        for (artifact, pom) in poms() {
            let name = format!("{artifact}-{}", self.version);
            let place = work.join(&artifact);
            let pom = read(&self.tree.source.join(pom))?;
            write(&place.join(format!("{name}.pom")), pom)?;
            for kind in KINDS {
                let jar = self.out.join(format!("{name}{kind}.jar"));
                if jar.exists() {
                    write(&place.join(format!("{name}{kind}.jar")), read(&jar)?)?;
                }
            }
        }
        let mut content = Content::default();
        for folder in listed(&work)? {
            let artifact = file_name(&folder);
            for file in listed(&folder)? {
                let path = format!("{GROUP}/{artifact}/{}/{}", self.version, file_name(&file));
                for (algorithm, tool) in [("md5", "md5sum"), ("sha1", "sha1sum")] {
                    let sum = first_word(&capture(program(tool, &[]).arg(&file))?);
                    content.add(format!("{path}.{algorithm}"), Entry::File(sum.into_bytes()));
                }
                if let Some(key) = signing_key {
                    content.add(format!("{path}.asc"), Entry::File(signature(&file, key)?));
                }
                content.add_copy(path, &file)?;
            }
        }
        let zip = Zip {
            prefix: "",
            first: &[],
            method: CompressionMethod::Stored,
            time: self.tree.time,
        };
        let name = format!("sivka-{}-maven.zip", self.version);
        content.write_zip(&self.out.join(name), &zip)
    }
}

/// The artifacts, with the file that describes each.
fn poms() -> Vec<(String, PathBuf)> {
    let mut all = vec![
        ("sivka-parent".to_owned(), "bindings/java/pom.xml".into()),
        ("sivka".to_owned(), "bindings/java/sivka/pom.xml".into()),
        (
            "sivka-spark-parent".to_owned(),
            "integrations/spark/pom.xml".into(),
        ),
    ];
    all.extend(SPARKS.map(|module| {
        let pom = Path::new("integrations/spark").join(module).join("pom.xml");
        (format!("sivka-{module}"), pom)
    }));
    all
}

/// Of GnuPG, in the form that Maven Central takes.
fn signature(file: &Path, key: &str) -> Result<Vec<u8>, Failure> {
    let mut out = file.as_os_str().to_owned();
    out.push(".asc");
    let out = PathBuf::from(out);
    let mut gpg = program("gpg", &["--batch", "--yes", "--armor", "--detach-sign"]);
    gpg.args(["--local-user", key, "--output"]);
    succeed(gpg.arg(&out).arg(file))?;
    let signed = read(&out)?;
    // A signature of a signature would be none of the files to upload.
    std::fs::remove_file(&out).map_err(|e| crate::files::about(&out, &e))?;
    Ok(signed)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn first_word(text: &str) -> String {
    text.split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}
