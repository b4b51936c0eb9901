package dev.sivka.spark;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A standalone cluster of Spark on this machine: a master and workers of one core, each a process
 * of its own, from the jars on this process's class path. Each worker has an address of its own,
 * because Spark runs a task twice at once only on two hosts.
 */
final class Cluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final Path folder;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    Cluster(Path folder, int workers) throws IOException {
        this.folder = folder;
        makeHome();
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        start("master", HOST, "org.apache.spark.deploy.master.Master", "--host", HOST, "--port", "" + port, "--webui-port", "0");
        for (int i = 0; i < workers; i++) {
            String host = "127.0.0." + (1 + i);
            start("worker-" + i, host, "org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", "1",
                    "--memory", "1g", "--webui-port", "0", "--work-dir", folder.resolve("work-" + i).toString(), address());
        }
    }

    String address() {
        return "spark://" + HOST + ":" + port;
    }

    /** What executors have on their class path beside Spark's jars: the folders on ours. */
    String folders() {
        List<String> folders = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Files.isDirectory(Path.of(entry))) {
                folders.add(entry);
            }
        }
        return String.join(File.pathSeparator, folders);
    }

    /** Kills a worker and its executors as a machine that loses power does. */
    void killWorker(int number) throws InterruptedException {
        Process worker = processes.get(1 + number);
        List<ProcessHandle> executors = worker.descendants().toList();
        if (executors.isEmpty()) {
            throw new IllegalStateException("the worker has no executor");
        }
        worker.destroyForcibly();
        executors.forEach(ProcessHandle::destroyForcibly);
        worker.waitFor();
    }

    /** A worker looks for jars where a distribution of Spark has them. */
    private void makeHome() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("home/jars"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar") && Files.exists(jar)) {
                Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
            }
        }
    }

    private void start(String name, String host, String mainClass, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xmx512m", "-cp", folder.resolve("home/jars") + "/*"));
        for (String opened : List.of("java.lang", "java.net", "java.nio", "java.util", "java.util.concurrent", "sun.nio.ch")) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.add(mainClass);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(folder.resolve(name + ".log").toFile());
        builder.environment().put("SPARK_HOME", folder.resolve("home").toString());
        builder.environment().put("SPARK_LOCAL_IP", host);
        builder.environment().put("SPARK_SCALA_VERSION", scala.util.Properties.versionNumberString().substring(0, 4));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        processes.add(builder.start());
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
