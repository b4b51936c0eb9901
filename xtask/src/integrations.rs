//! Columns in the engines of others: the tests of `integrations/`.
//!
//! What they need and this machine lacks is said, and in CI it is a failure.

use crate::install::Built;
use crate::jdk;
use crate::process::{
    Failure, Tally, exists, program, project_root, pytest_counts, run_lines, succeed,
    surefire_counts,
};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The module of the newest line of Spark, and those of the lines before it.
const SPARK: &str = "spark4_2.13";
const OLDER_SPARKS: [&str; 2] = ["spark3.5_2.13", "spark3.5_2.12"];

/// `cargo xtask integrations`: on every line of Spark, with a cluster, if `all`.
pub(crate) fn run(all: bool) -> Tally {
    let mut tally = databases();
    let spark = match all {
        false => on_one_machine(),
        true => with_library(
            || Built::build("release"),
            |library, tally| {
                spark(library, tally, |jdk, tally| {
                    for module in OLDER_SPARKS {
                        test_module(jdk, module, &[ONE_MACHINE], tally);
                    }
                    test_module(jdk, SPARK, &[WITH_CLUSTER], tally);
                    pyspark(library, jdk, tally);
                    jdbc(library, jdk, tally);
                });
            },
        ),
    };
    tally.append("", spark);
    tally
}

/// DuckDB and PostgreSQL, with the C library that the tests of Rust are built with.
pub(crate) fn databases() -> Tally {
    with_library(Built::of_tests, |library, tally| {
        tally.stage("DuckDB", |part| duckdb(library, part));
        tally.stage("PostgreSQL", |part| postgresql(library, part));
    })
}

/// The newest line of Spark, in one process.
pub(crate) fn on_one_machine() -> Tally {
    with_library(Built::of_tests, |library, tally| {
        spark(library, tally, |jdk, tally| {
            test_module(jdk, SPARK, &[ONE_MACHINE], tally);
            tally.add_left_out(
                "Spark on a cluster, Spark 3.5, and Spark from Python (cargo xtask integrations --all)",
            );
        });
    })
}

/// The same on a cluster, with a tenth of the rows that `--all` has there.
pub(crate) fn on_cluster() -> Tally {
    with_library(
        || Built::build("release"),
        |library, tally| {
            spark(library, tally, |jdk, tally| {
                let rows = "-Dsivka.cluster.rows=1000000";
                test_module(jdk, SPARK, &[WITH_CLUSTER, rows], tally);
            });
        },
    )
}

fn with_library(
    build: fn() -> Result<Built, Failure>,
    work: impl FnOnce(&Path, &mut Tally),
) -> Tally {
    let mut tally = Tally::default();
    match build() {
        Ok(library) => work(&library.archive, &mut tally),
        Err(failure) => tally.add_check("the C library, for the integrations", &Err(failure)),
    }
    tally
}

fn duckdb(library: &Path, tally: &mut Tally) {
    let what = "the extension of DuckDB";
    if !exists("python3") {
        tally.add_not_run(what, "CPython, as `python3`");
        return;
    }
    let mut command = program("python3", &["integrations/duckdb/test.py"]);
    command.env("SIVKA_STATIC_LIBRARY", library);
    run_pytests(what, "DuckDB ", &mut command, tally);
}

fn postgresql(library: &Path, tally: &mut Tally) {
    let what = "the extension of PostgreSQL";
    if !exists("python3") {
        tally.add_not_run(what, "CPython, as `python3`");
        return;
    }
    if !has_postgresql() {
        tally.add_not_run(what, "PostgreSQL's server and its development files");
        return;
    }
    let mut command = program("python3", &["integrations/postgresql/test.py"]);
    command.env("SIVKA_STATIC_LIBRARY", library);
    run_pytests(what, "PostgreSQL ", &mut command, tally);
}

/// Whether the server of `pg_config` is here, and what builds extensions for it.
fn has_postgresql() -> bool {
    let path = |option| {
        let output = program("pg_config", &[option]).output().ok()?;
        let path = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| path.trim().to_owned())
    };
    let has =
        |option, file| path(option).is_some_and(|folder| Path::new(&folder).join(file).exists());
    has("--includedir-server", "postgres.h") && has("--bindir", "postgres")
}

/// Runs a program that runs pytest several times, each after a line that names what it runs with.
fn run_pytests(what: &str, names: &str, command: &mut Command, tally: &mut Tally) {
    let mut environment = String::new();
    let mut runs = Vec::new();
    let success = run_lines(command, |line| {
        if line.starts_with(names) {
            line.clone_into(&mut environment);
        } else if let Some(counts) = pytest_counts(line) {
            runs.push((environment.clone(), counts));
        }
    });
    let failures = runs.iter().any(|(_, [_, failed, _])| *failed > 0);
    for (environment, [passed, failed, skipped]) in &runs {
        let name = format!("{what}, {environment}");
        tally.add_with_ignored(name, *passed, *failed, *skipped);
    }
    if (!success || runs.is_empty()) && !failures {
        tally.add(format!("{what} (did not build or broke off)"), 0, 1);
    }
}

/// Runs tests that have the Java package where Maven finds it.
fn spark(library: &Path, tally: &mut Tally, tests: impl FnOnce(&Path, &mut Tally)) {
    let what = "the functions of Spark";
    if !exists("mvn") {
        return tally.add_not_run(what, "Maven, as `mvn`");
    }
    let Ok(jdk) = jdk::oldest() else {
        return tally.add_not_run(what, "a JDK of 17 or newer");
    };
    let archive = format!("-Dsivka.static.library={}", library.display());
    let package = ["install", "-pl", "sivka", "-am", "-DskipTests", &archive];
    match succeed(&mut maven(&jdk, "bindings/java", &package)) {
        Ok(()) => tally.stage("Spark", |part| tests(&jdk, part)),
        failed => tally.add_check("the Java package, for Spark", &failed),
    }
}

/// What tests are left out, by their tag.
const ONE_MACHINE: &str = "-Dtests.left.out=benchmark,cluster";
const WITH_CLUSTER: &str = "-Dtests.left.out=benchmark";

fn maven(jdk: &Path, folder: &str, arguments: &[&str]) -> Command {
    let mut command = program("mvn", &["--quiet", "--batch-mode"]);
    command.args(arguments).env("JAVA_HOME", jdk);
    command.current_dir(project_root().join(folder));
    command
}

fn test_module(jdk: &Path, module: &str, settings: &[&str], tally: &mut Tally) {
    let reports = format!("integrations/spark/{module}/target/surefire-reports");
    let reports = project_root().join(reports);
    // Reports of an earlier run are no reports of this one.
    let _ = fs::remove_dir_all(&reports);
    let mut command = maven(jdk, "integrations/spark", &["test", "-pl", module]);
    let result = succeed(command.args(settings));
    if let Err(failure) = &result {
        println!("FAILED: {failure}");
    }
    let [ran, mut failed, skipped] = surefire_counts(&reports);
    if failed == 0 && (result.is_err() || ran == skipped) {
        failed = 1;
    }
    let passed = ran.saturating_sub(failed + skipped);
    let name = format!("the functions of Spark, {module}");
    println!("{name}: {passed} passed, {failed} failed, {skipped} skipped");
    tally.add_with_ignored(name, passed, failed, skipped);
}

/// PostgreSQL's test with Spark, which has its classes and the class path of its tests.
fn jdbc(library: &Path, jdk: &Path, tally: &mut Tally) {
    let what = "PostgreSQL and Spark through JDBC";
    if !exists("python3") || !has_postgresql() {
        tally.add_not_run(
            what,
            "CPython, PostgreSQL's server and its development files",
        );
        return;
    }
    let list = project_root().join("target/spark class path");
    let goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
    let file = format!("-Dmdep.outputFile={}", list.display());
    let listed = succeed(&mut maven(
        jdk,
        "integrations/spark",
        &[goal, "-pl", SPARK, &file],
    ));
    let class_path = listed.and_then(|()| crate::files::read_text(&list));
    let class_path = match class_path {
        Ok(class_path) => class_path,
        Err(failure) => {
            tally.add_check("the class path of Spark", &Err(failure));
            return;
        }
    };
    let classes = format!("integrations/spark/{SPARK}/target/classes");
    let classes = project_root().join(classes);
    let test = ["integrations/postgresql/test.py", "test_spark.py"];
    let mut command = program("python3", &test);
    command.env("JAVA_HOME", jdk);
    command.env("SIVKA_STATIC_LIBRARY", library);
    let class_path = format!("{}:{}", classes.display(), class_path.trim());
    command.env("SIVKA_SPARK_CLASS_PATH", class_path);
    run_pytests(what, "PostgreSQL ", &mut command, tally);
}

fn pyspark(library: &Path, jdk: &Path, tally: &mut Tally) {
    let what = "the functions of Spark from Python";
    if !exists("python3") {
        tally.add_not_run(what, "CPython, as `python3`");
        return;
    }
    let package = ["package", "-pl", SPARK, "-DskipTests"];
    let packaged = succeed(&mut maven(jdk, "integrations/spark", &package));
    if packaged.is_err() {
        tally.add_check("the jar of Spark's functions", &packaged);
        return;
    }
    let mut command = program("python3", &["integrations/spark/python/test.py"]);
    command.env("JAVA_HOME", jdk);
    command.env("SIVKA_STATIC_LIBRARY", library);
    run_pytests(what, "PySpark, ", &mut command, tally);
}
