package dev.sivka;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/** Compiles small programs, and runs them in Java processes of their own. */
final class Programs {
    static final Path CLASSES = Path.of("target/classes").toAbsolutePath();

    private Programs() {}

    /** What a process wrote and how it ended. */
    record Result(int status, String output, String errors) {}

    /** Compiles a class with this class path into a folder. */
    static void compile(Path folder, String name, String source) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, source);
        int status = ToolProvider.getSystemJavaCompiler().run(
                null, null, null, "-Xlint:all,-processing,-path", "-Werror", "-cp",
                System.getProperty("java.class.path"), "-d", folder.toString(), file.toString());
        if (status != 0) {
            throw new AssertionError(name + " does not compile:\n" + source);
        }
    }

    /** Compiles a program and runs it, which must succeed; what it wrote. */
    static String run(Path folder, String name, String source, String... args) throws Exception {
        compile(folder, name, source);
        List<String> command = new ArrayList<>();
        if (Runtime.version().feature() >= 23) {
            // Protobuf, which Tink brings, would be warned of.
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(folder + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(name);
        command.addAll(List.of(args));
        Result result = java(List.of(), command);
        if (result.status() != 0 || !result.errors().isEmpty()) {
            throw new AssertionError(name + ": " + result);
        }
        return result.output();
    }

    /** Runs the Java that runs this test, through another command, if one is given. */
    static Result java(List<String> through, List<String> args) throws Exception {
        List<String> command = new ArrayList<>(through);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(args);
        Path output = Files.createTempFile("output", null);
        Path errors = Files.createTempFile("errors", null);
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            // It would announce itself where no output is expected.
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            Process process = builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running after a minute: " + command);
            }
            return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }
}
