//! What engines of others load: DuckDB's extension, and the jars for Spark.

use super::super::duckdb::FILE;
use super::super::maven::SPARKS;
use super::super::platform::Platform;
use super::{Trial, host};
use crate::files::{copy, read, read_text, write};
use crate::process::{Failure, Tally, capture, program, project_root, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest DuckDB that loads the extension, and one whose interface has changed since.
const DUCKDBS: [&str; 2] = ["1.5.6", "2.0.0"];

const DUCKDB: &str = "
import sys, duckdb
database = duckdb.connect(config={'allow_unsigned_extensions': 'true'})
database.execute(f\"LOAD '{sys.argv[1]}'\")
database.execute(f\"SET GLOBAL sivka_keys = MAP {{'k': '{sys.argv[2]}'}}\")
query = \"SELECT decode(sivka_open(sivka_seal('meet at noon', 'k', 'c'), 'k', 'c'))\"
print(database.execute(query).fetchone()[0])
";

const SPARK: &str = "
import org.apache.spark.sql.SparkSession;

public class Trial {
    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().master(\"local[1]\")
                .config(\"spark.ui.enabled\", \"false\")
                .config(\"spark.sivka.keys.k\", arguments[0]).getOrCreate();
        String query = \"SELECT CAST(sivka_open(sivka_seal('meet at noon', 'k', 'c'), 'k', 'c') AS STRING)\";
        System.out.println(spark.sql(query).collectAsList().get(0).getString(0));
        spark.stop();
    }
}
";

impl Trial<'_> {
    /// Loaded by DuckDB where it can run; elsewhere its footer is looked at.
    pub(super) fn duckdb(&self, platform: &'static Platform) -> Result<(), Failure> {
        if platform.name == host().name {
            self.load_in_duckdb(platform)
        } else {
            self.has_footer(platform)
        }
    }

    fn load_in_duckdb(&self, platform: &'static Platform) -> Result<(), Failure> {
        let extension = self.unpack("sivka-duckdb", platform)?.join(FILE);
        for version in DUCKDBS {
            let place = self.place(&format!("duckdb-{version}"))?;
            let environment = place.join("venv");
            let mut make = program("python3", &["-m", "venv"]);
            succeed(make.arg(&environment))?;
            let python = || Command::new(environment.join("bin/python"));
            let mut install = python();
            install.args(["-m", "pip", "install", "--quiet"]);
            succeed(install.arg(format!("duckdb=={version}")))?;
            let mut run = python();
            run.args(["-I", "-c", DUCKDB]).arg(&extension);
            let said = capture(run.arg(key_file(&place)?))?;
            super::packages::opened(&format!("DuckDB {version}"), &said)?;
        }
        Ok(())
    }

    fn has_footer(&self, platform: &'static Platform) -> Result<(), Failure> {
        let extension = read(&self.unpack("sivka-duckdb", platform)?.join(FILE))?;
        let footer = extension.len().checked_sub(512).map(|at| &extension[at..]);
        let names = super::super::duckdb::duckdb_platform(platform);
        // The field before the last: eight of 32 bytes, the last one first.
        let field = footer.map(|footer| &footer[6 * 32..7 * 32]);
        let expected = format!("{names:\0<32}");
        if field == Some(expected.as_bytes()) {
            Ok(())
        } else {
            Err(Failure::new(format!("{FILE} is not for {names}")))
        }
    }

    /// A query in each line of Spark, with the jars and Spark's own class path.
    pub(super) fn spark(&self, tally: &mut Tally) {
        for module in SPARKS {
            let name = format!("Spark seals with the jar sivka-{module}");
            tally.add_check(&name, &self.spark_with(module));
        }
    }

    fn spark_with(&self, module: &str) -> Result<(), Failure> {
        let place = self.place(module)?;
        let home = crate::jdk::oldest()?;
        let sources = project_root().join("integrations/spark");
        let list = place.join("class path");
        let goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
        let mut maven = program("mvn", &["--quiet", "--batch-mode", goal, "-pl", module]);
        maven.args(["-DincludeScope=compile", "-DexcludeGroupIds=dev.sivka"]);
        maven.arg(format!("-Dmdep.outputFile={}", list.display()));
        maven.env("JAVA_HOME", &home);
        succeed(maven.current_dir(&sources))?;
        let artifacts = ["sivka".to_owned(), format!("sivka-{module}")];
        let jars = artifacts.map(|name| format!("{name}-{}.jar", self.version));
        let mut class_path: Vec<PathBuf> = jars.map(|jar| self.artifacts.join(jar)).into();
        class_path.push(read_text(&list)?.trim().into());
        write(&place.join("Trial.java"), SPARK)?;
        let mut java = Command::new(home.join("bin/java"));
        java.args(java_options(&read_text(&sources.join("pom.xml"))?));
        let class_path: Vec<String> = class_path
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        java.args(["-cp", &class_path.join(":"), "Trial.java"]);
        let said = capture(java.arg(key_file(&place)?).current_dir(&place))?;
        super::packages::opened(module, &said)
    }
}

/// What Spark needs of a JVM, as its tests have it.
fn java_options(pom: &str) -> Vec<String> {
    let text = pom.split("<argLine>").nth(1).unwrap_or_default();
    let text = text.split("</argLine>").next().unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// The example of docs/spec/file-format-v1.md, section 8.
fn key_file(place: &Path) -> Result<PathBuf, Failure> {
    let path = place.join("example.key");
    let example = project_root().join("file/tests/data/example.key");
    copy(&example, &path)?;
    Ok(path)
}
