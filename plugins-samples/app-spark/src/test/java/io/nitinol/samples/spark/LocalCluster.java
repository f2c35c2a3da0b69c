// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Runs programs as {@code spark-submit} does, on a cluster of four executors that are processes of
 * their own. Everything is on loopback, and ends with the program.
 */
final class LocalCluster implements AutoCloseable {
  /** One of Spark's classes that the profile "spark" alone brings. */
  private static final String LAUNCHER = "org.apache.spark.launcher.Main";

  private static final int SECONDS = 800;

  private final Path home;
  private final List<String> jars = new ArrayList<>();

  /**
   * Makes a home of Spark: links to the jars of the class path. What was compiled here becomes jars
   * too, which Spark sends to the executors as it does with a user's.
   */
  LocalCluster(Path home) throws IOException {
    this.home = home;
    Path ofSpark = Files.createDirectories(home.resolve("jars"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      String name = path.getFileName().toString();
      if (Files.isDirectory(path)) {
        Path jar = home.resolve("compiled-" + jars.size() + ".jar");
        int status =
            ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                    System.out, System.err, "--create", "--file", jar.toString(), "-C", entry, ".");
        assertThat(status).as("jar of %s", entry).isZero();
        jars.add(jar.toString());
      } else if (name.startsWith("nitinol-")) {
        jars.add(entry);
      } else if (name.endsWith(".jar")) {
        Files.createSymbolicLink(ofSpark.resolve(name), path.toAbsolutePath());
      }
    }
  }

  /** Returns whether all of Spark is on the class path. */
  static boolean isLoaded() {
    try {
      Class.forName(LAUNCHER, false, LocalCluster.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false; // the test says so
    }
  }

  /** Runs a program until it ends, and returns the lines that its driver has printed. */
  List<String> submit(Class<?> program, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java(), "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(home + "/jars/*", LAUNCHER, "org.apache.spark.deploy.SparkSubmit"));
    command.addAll(List.of("--master", "local-cluster[4,1,512]"));
    command.addAll(List.of("--driver-java-options", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"));
    settings().forEach((name, value) -> command.addAll(List.of("--conf", name + "=" + value)));
    command.addAll(List.of("--jars", String.join(",", jars)));
    command.addAll(List.of("--class", program.getName(), jars.getFirst()));
    command.addAll(List.of(args));
    // The launcher answers with the driver's command, as bin/spark-class of a distribution has it.
    List<String> driver =
        List.of(run("launcher", command).replaceFirst("^\\s*\\x00?\\s*", "").split("\0"));
    return run(program.getSimpleName(), driver).lines().toList();
  }

  /** Deletes the links: JUnit warns of each that it finds in a directory of its own. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> links = Files.list(home.resolve("jars"))) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.driver.host", "127.0.0.1");
    settings.put("spark.driver.bindAddress", "127.0.0.1");
    settings.put("spark.local.dir", home.resolve("local").toString());
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    // A barrier stage needs all slots at once, and does not begin with fewer.
    settings.put("spark.cores.max", "4");
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1");
    // Until the master reports how an executor has ended, which its lost connection does not say.
    settings.put("spark.standalone.executorRemoveDelayOnDisconnection", "120s");
    settings.put("spark.executorEnv.NCCL_SOCKET_IFNAME", "lo");
    settings.put("spark.executorEnv.NITINOL_COST_CACHE", "none");
    // For ever: a rank that were not told of a loss would never leave its slot.
    settings.put("spark.executorEnv.NITINOL_TIMEOUT", "0");
    settings.put("spark.executorEnv.NITINOL_BOOTSTRAP_TIMEOUT", "86400");
    return settings;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Returns what a process has printed on its standard output. */
  private String run(String name, List<String> command) throws IOException, InterruptedException {
    Path out = home.resolve(name + ".out");
    Path err = home.resolve(name + ".err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      assertThat(ended && process.exitValue() == 0)
          .as("%s: %s%n%s", command, Files.readString(out), Files.readString(err))
          .isTrue();
      return Files.readString(out);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly); // the executors
      process.destroyForcibly();
    }
  }
}
