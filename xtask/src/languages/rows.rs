//! The commands: `FOLDER [VARIABLE=…] PROGRAM ARGUMENT…`, with `{…}` as `Here` fills it in.

use super::checks;
use crate::blob;
use crate::process::Failure;
use Step::{Check, Run, Test};

/// Commands that belong together, of which the next runs if the last has succeeded.
pub(super) struct Suite {
    pub(super) name: &'static str,
    /// Names of [`NEEDS`].
    pub(super) needs: &'static [&'static str],
    pub(super) steps: &'static [Step],
    /// What the matrix of languages runs then: a name, and the words of a command.
    pub(super) plays: &'static [super::Play],
}

pub(super) enum Step {
    Run(&'static str),
    /// What counts tests; the next step runs even if some fail.
    Test(&'static str),
    Check(&'static str, fn() -> Result<(), Failure>),
}

/// A program or something else, and how it is named where it is missing.
pub(super) const NEEDS: [(&str, &str); 9] = [
    ("mvn", "Maven, as `mvn`"),
    ("newest-jdk", "a JDK from 22 on"),
    ("oldest-jdk", "a JDK from 17 on"),
    ("dotnet", "the .NET SDK, as `dotnet`"),
    ("python3", "CPython, as `python3`"),
    ("go", "Go 1.24 or newer, as `go`"),
    ("qemu-aarch64", "qemu-user"),
    ("mono", "Mono, as `mono`"),
    (
        "postgresql",
        "PostgreSQL's server and its development files",
    ),
];

/// What builds in .NET are told, so that no server stays behind.
pub(super) const DOTNET: [&str; 5] = [
    "--configuration",
    "Release",
    "-nodeReuse:false",
    "-p:UseSharedCompilation=false",
    "-p:SivkaNativeLibrary={shared}",
];

/// The oldest JDK builds for everyone.
const JAVA_ON_NEWEST: &str = "bindings/java JAVA_HOME={oldest-jdk} mvn --batch-mode --no-transfer-progress verify \
    -Dsivka.static.library={archive} -Djvm={newest-jdk}/bin/java";
const JAVA_ON_OLDEST: &str = "bindings/java JAVA_HOME={oldest-jdk} mvn --batch-mode --no-transfer-progress verify \
    -Dsivka.static.library={archive} -Djvm={oldest-jdk}/bin/java";

pub(super) const NEWEST: [Suite; 4] = [
    Suite {
        name: "Java",
        needs: &["mvn", "newest-jdk"],
        steps: &[Test(JAVA_ON_NEWEST)],
        plays: &[(
            "java-newest",
            "{newest-jdk}/bin/java --enable-native-access=ALL-UNNAMED -cp \
             {root}/bindings/java/sivka/target/classes:{root}/bindings/java/sivka/target/test-classes \
             dev.sivka.MatrixProgram",
        )],
    },
    Suite {
        name: ".NET",
        needs: &["dotnet"],
        steps: &[
            // `dotnet test` builds nothing but tests and what they need.
            Run("bindings/dotnet dotnet build Sivka.Matrix --framework net10.0 {dotnet}"),
            Test(
                "bindings/dotnet dotnet test Sivka.slnx --framework net10.0 --blame-hang-timeout 10m \
                 --blame-hang-dump-type none {dotnet}",
            ),
            Run("bindings/dotnet dotnet format Sivka.slnx --verify-no-changes --no-restore"),
        ],
        plays: &[(
            "dotnet10",
            "dotnet exec {root}/bindings/dotnet/artifacts/bin/Sivka.Matrix/release_net10.0/Sivka.Matrix.dll",
        )],
    },
    Suite {
        name: "Python",
        needs: &["python3"],
        steps: &[Test(
            ". SIVKA_STATIC_LIBRARY={archive} python3 bindings/python/test.py",
        )],
        plays: &[(
            "python",
            "{root}/target/python/venv/bin/python {root}/bindings/python/tests/matrix.py",
        )],
    },
    Suite {
        name: "Go",
        needs: &["go"],
        steps: &[
            Check("machine code", blob::ensure_here),
            Check("gofmt", checks::gofmt),
            Run("bindings/go CGO_ENABLED=0 go vet ./..."),
            Run("bindings/go/tink CGO_ENABLED=0 go vet ./..."),
            Run("bindings/go/tests CGO_ENABLED=0 go vet ./..."),
            Run("bindings/go/tests CGO_ENABLED=0 go build -o {root}/target/go/matrix ./matrix"),
            Test("bindings/go CGO_ENABLED=0 SIVKA_GO_CODE=machine go test -v ./..."),
            Test("bindings/go/tink CGO_ENABLED=0 SIVKA_GO_CODE=machine go test -v ./..."),
            Test("bindings/go/tests CGO_ENABLED=0 SIVKA_GO_CODE=machine go test -v ./..."),
        ],
        plays: &[("go", "{root}/target/go/matrix")],
    },
];

pub(super) const OLDER: [Suite; 4] = [
    Suite {
        name: "Java, the oldest JDK",
        needs: &["mvn", "oldest-jdk"],
        steps: &[Test(JAVA_ON_OLDEST)],
        plays: &[(
            "java-oldest",
            "{oldest-jdk}/bin/java -cp \
             {root}/bindings/java/sivka/target/classes:{root}/bindings/java/sivka/target/test-classes \
             dev.sivka.MatrixProgram",
        )],
    },
    Suite {
        name: ".NET 8, packages, and ahead of time",
        needs: &["dotnet", "mono"],
        steps: &[
            Run("bindings/dotnet dotnet build Sivka.slnx {dotnet}"),
            Test(
                "bindings/dotnet dotnet test Sivka.Tests --framework net8.0 --no-build --blame-hang-timeout 10m \
                 --blame-hang-dump-type none {dotnet}",
            ),
            Run("bindings/dotnet dotnet pack Sivka --no-build {dotnet}"),
            Run("bindings/dotnet dotnet pack Sivka.DataProtection --no-build {dotnet}"),
            Check(
                "the packages have what they should",
                checks::packages_of_dotnet,
            ),
            // For one target and platform, with files of its own, so that nothing else is
            // restored anew.
            Run(
                "bindings/dotnet dotnet publish Sivka.Examples --framework net8.0 --use-current-runtime \
                 -p:CppCompilerAndLinker=gcc -p:TargetFrameworks=net8.0 \
                 -p:ArtifactsPath={root}/bindings/dotnet/artifacts/ahead-of-time \
                 -p:DisableTransitiveFrameworkReferenceDownloads=true {dotnet}",
            ),
            Check(
                "ahead of time, the examples print the same",
                checks::ahead_of_time,
            ),
        ],
        plays: &[
            (
                "dotnet8",
                "dotnet exec {root}/bindings/dotnet/artifacts/bin/Sivka.Matrix/release_net8.0/Sivka.Matrix.dll",
            ),
            (
                "dotnet-mono",
                "mono {root}/bindings/dotnet/artifacts/bin/Sivka.Matrix/release_netstandard2.0/Sivka.Matrix.dll",
            ),
        ],
    },
    Suite {
        name: "Python, the oldest CPython",
        needs: &["python3"],
        steps: &[Test(
            ". SIVKA_STATIC_LIBRARY={archive} python3 bindings/python/test.py --oldest",
        )],
        plays: &[],
    },
    Suite {
        name: "Go, the oldest",
        needs: &["go"],
        steps: &[
            Check("machine code", blob::ensure_here),
            Test(
                "bindings/go CGO_ENABLED=0 GOTOOLCHAIN=go1.24.0 SIVKA_GO_CODE=machine go test -v ./...",
            ),
        ],
        plays: &[],
    },
];

/// With machine code nothing calls what stands in for it; without, plain Go calls all.
const STATICCHECK: &str = "bindings/go CGO_ENABLED=0 go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 \
    -checks inherit,-U1000 ./...";
const STATICCHECK_OF_PLAIN: &str = "bindings/go CGO_ENABLED=0 go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 \
    -checks U1000 -tags purego ./...";

pub(super) const OTHERWISE_BUILT: [Suite; 4] = [
    Suite {
        name: "Go, its style",
        needs: &["go"],
        steps: &[
            Check("machine code for every architecture", blob::ensure),
            Run(STATICCHECK),
            Run(STATICCHECK_OF_PLAIN),
            Run(
                "bindings/go/tink CGO_ENABLED=0 go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...",
            ),
            Run(
                "bindings/go/tests CGO_ENABLED=0 go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...",
            ),
            // Systems that nothing here runs.
            Run("bindings/go CGO_ENABLED=0 GOOS=darwin GOARCH=amd64 go build ./..."),
            Run("bindings/go CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 go build ./..."),
            Run("bindings/go CGO_ENABLED=0 GOOS=freebsd GOARCH=amd64 go build ./..."),
            Run("bindings/go CGO_ENABLED=0 GOOS=openbsd GOARCH=arm64 go build ./..."),
            Run("bindings/go CGO_ENABLED=0 GOOS=windows GOARCH=arm64 go build ./..."),
        ],
        plays: &[],
    },
    Suite {
        name: "Go, plain",
        needs: &["go"],
        steps: &[
            Test("bindings/go CGO_ENABLED=0 SIVKA_GO_CODE=plain go test -v -tags purego ./..."),
            Test(
                "bindings/go/tink CGO_ENABLED=0 SIVKA_GO_CODE=plain go test -v -tags purego ./...",
            ),
            Test(
                "bindings/go/tests CGO_ENABLED=0 SIVKA_GO_CODE=plain go test -v -tags purego \
                 -run Tier|Vectors|Wycheproof|Batch|Nonce .",
            ),
        ],
        plays: &[],
    },
    // The detector of races is in C.
    Suite {
        name: "Go, watched for races",
        needs: &["go"],
        steps: &[
            Check("machine code", blob::ensure),
            Test(
                "bindings/go/tests CGO_ENABLED=1 SIVKA_GO_CODE=machine go test -v -race \
                 -run Tier|Load|Misuse|Wycheproof .",
            ),
            Test("bindings/go CGO_ENABLED=1 SIVKA_GO_CODE=machine go test -v -race ./file/..."),
        ],
        plays: &[],
    },
    Suite {
        name: "Go, AArch64",
        needs: &["go", "qemu-aarch64"],
        steps: &[
            Check("machine code", blob::ensure),
            // Files are plain Go over these.
            Test(
                "bindings/go CGO_ENABLED=0 SIVKA_GO_CODE=machine GOARCH=arm64 go test -v \
                 -exec qemu-aarch64 . ./kuznyechik ./internal/...",
            ),
            // Without SHA-3. Accumulated vectors take minutes there.
            Test(
                "bindings/go/tests CGO_ENABLED=0 SIVKA_GO_CODE=machine GOARCH=arm64 QEMU_CPU=cortex-a72 \
                 go test -v -exec qemu-aarch64 -run Tier|TestVectors|Wycheproof|Beside .",
            ),
        ],
        plays: &[],
    },
];

/// The Python libraries are from PyPI; those of Go and Java are named in their manifests.
pub(super) const JUDGES: [Suite; 2] = [
    Suite {
        name: "keysets judged by Tink",
        needs: &["go", "mvn", "python3"],
        steps: &[
            // A compiler that is too old fetches the one that the module names.
            Run(
                "keyset/tests/judges/go GOTOOLCHAIN=auto go build -mod=readonly -buildvcs=false \
                 -o {root}/target/tink/judge-go",
            ),
            Run("keyset/tests/judges/java mvn --quiet --batch-mode package"),
            Run(". python3 -m venv target/tink/venv"),
            Run(". target/tink/venv/bin/python -m pip install --quiet tink==1.16.1"),
            Test(
                ". SIVKA_TINK=tink-go{tab}{root}/target/tink/judge-go\
                 {line}tink-java{tab}java{tab}-cp{tab}{root}/target/tink/java/classes:{root}/target/tink/java/dependency/*{tab}TinkJudge\
                 {line}tink-py{tab}{root}/target/tink/venv/bin/python{tab}{root}/keyset/tests/judges/judge.py \
                 cargo test --test tink {workspace} -- --include-ignored --nocapture",
            ),
        ],
        plays: &[],
    },
    Suite {
        name: "AES-SIV judged by OpenSSL",
        needs: &["python3"],
        steps: &[
            Run(". python3 -m venv target/openssl/venv"),
            Run(". target/openssl/venv/bin/python -m pip install --quiet cryptography==50.0.2"),
            Test(
                ". SIVKA_OPENSSL={root}/target/openssl/venv/bin/python{tab}{root}/core/tests/judges/aes_siv.py \
                 cargo test --test main {workspace} -- aes_siv_openssl:: --include-ignored --nocapture",
            ),
        ],
        plays: &[],
    },
];

pub(super) const DATABASES: [Suite; 2] = [
    Suite {
        name: "DuckDB",
        needs: &["python3"],
        steps: &[Test(
            ". SIVKA_STATIC_LIBRARY={archive} python3 integrations/duckdb/test.py",
        )],
        plays: &[],
    },
    Suite {
        name: "PostgreSQL",
        needs: &["python3", "postgresql"],
        steps: &[Test(
            ". SIVKA_STATIC_LIBRARY={archive} python3 integrations/postgresql/test.py",
        )],
        plays: &[],
    },
];

/// Spark finds the Java package where Maven puts it.
const JAVA_FOR_SPARK: Step = Run(
    "bindings/java JAVA_HOME={oldest-jdk} mvn --quiet --batch-mode install \
    -pl sivka -am -DskipTests -Dsivka.static.library={archive}",
);

pub(super) const SPARK: Suite = Suite {
    name: "Spark",
    needs: &["mvn", "oldest-jdk"],
    steps: &[
        JAVA_FOR_SPARK,
        Test(
            "integrations/spark JAVA_HOME={oldest-jdk} mvn --batch-mode --no-transfer-progress test \
             -pl spark4_2.13 -Dtests.left.out=benchmark,cluster",
        ),
    ],
    plays: &[],
};

pub(super) const SPARK_ON_CLUSTER: Suite = Suite {
    name: "Spark's cluster",
    needs: &["mvn", "oldest-jdk"],
    steps: &[
        JAVA_FOR_SPARK,
        // A tenth of the rows that `--all` has.
        Test(
            "integrations/spark JAVA_HOME={oldest-jdk} mvn --batch-mode --no-transfer-progress test \
             -pl spark4_2.13 -Dtests.left.out=benchmark -Dsivka.cluster.rows=1000000",
        ),
    ],
    plays: &[],
};

/// Where Maven writes what Spark's tests have on their class path.
pub(super) const SPARK_CLASS_PATH: &str = "target/spark-class-path";

pub(super) const BY_HAND: [Suite; 3] = [
    Suite {
        name: "every line of Spark, and a cluster",
        needs: &["mvn", "oldest-jdk"],
        steps: &[
            JAVA_FOR_SPARK,
            Test(
                "integrations/spark JAVA_HOME={oldest-jdk} mvn --batch-mode --no-transfer-progress test \
                 -pl spark3.5_2.13,spark3.5_2.12 -Dtests.left.out=benchmark,cluster",
            ),
            Test(
                "integrations/spark JAVA_HOME={oldest-jdk} mvn --batch-mode --no-transfer-progress test \
                 -pl spark4_2.13 -Dtests.left.out=benchmark",
            ),
        ],
        plays: &[],
    },
    Suite {
        name: "Spark from Python",
        needs: &["mvn", "oldest-jdk", "python3"],
        steps: &[
            JAVA_FOR_SPARK,
            Run(
                "integrations/spark JAVA_HOME={oldest-jdk} mvn --quiet --batch-mode package -pl spark4_2.13 -DskipTests",
            ),
            Test(
                ". JAVA_HOME={oldest-jdk} SIVKA_STATIC_LIBRARY={archive} python3 integrations/spark/python/test.py",
            ),
        ],
        plays: &[],
    },
    Suite {
        name: "PostgreSQL and Spark through JDBC",
        needs: &["mvn", "oldest-jdk", "python3", "postgresql"],
        steps: &[
            JAVA_FOR_SPARK,
            Run(
                "integrations/spark JAVA_HOME={oldest-jdk} mvn --quiet --batch-mode compile \
                 org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath -pl spark4_2.13 \
                 -Dmdep.outputFile={root}/target/spark-class-path",
            ),
            Test(
                ". JAVA_HOME={oldest-jdk} SIVKA_STATIC_LIBRARY={archive} \
                 SIVKA_SPARK_CLASS_PATH={root}/integrations/spark/spark4_2.13/target/classes:{spark-class-path} \
                 python3 integrations/postgresql/test.py test_spark.py",
            ),
        ],
        plays: &[],
    },
];
