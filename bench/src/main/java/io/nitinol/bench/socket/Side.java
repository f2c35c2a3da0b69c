// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.core.launch.JvmCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that moves the bytes, and the way to start its ends. */
enum Side implements Ends {
  OURS("Socket"),
  /** Goes on calling. */
  C_SPIN("C spin"),
  /** Sleeps in poll() when nothing moves. */
  C_POLL("C poll"),
  /** Goes on calling, with both ways of a ping on one connection. */
  C_SINGLE("C 1 conn"),
  JUCX("JUCX");

  private static final String JUCX_VERSION = "1.14.100";
  private static final int FETCH_SECONDS = 60;

  private final String label;

  Side(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  /** Returns the name for programs. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static Path root() {
    return Path.of(System.getProperty("nitinol.root", "."));
  }

  private static Path jar() {
    return root().resolve("bench/target/jucx/jucx-" + JUCX_VERSION + ".jar");
  }

  private static Path program() {
    return root().resolve("bench/target/socket_peer");
  }

  @Override
  public List<String> command(boolean near, int connections, int largest, Place place) {
    String role = near ? "near" : "far";
    List<String> counts = List.of(Integer.toString(connections), Integer.toString(largest));
    List<String> command = new ArrayList<>();
    switch (this) {
      case OURS -> {
        List<String> arguments = new ArrayList<>(List.of(role));
        arguments.addAll(counts);
        command.addAll(JvmCommand.ofThisProcess().run(EndProcess.class, arguments));
      }
      case C_SPIN, C_POLL, C_SINGLE -> {
        String way = key().substring(2);
        command.addAll(List.of(program().toString(), role, way));
        command.addAll(counts);
        command.add(place.address());
      }
      case JUCX -> {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(root().resolve("bench/target/classes") + ":" + jar());
        command.addAll(List.of(root().resolve("bench/src/jucx/JucxEnd.java").toString(), role));
        command.addAll(counts);
      }
    }
    return command;
  }

  @Override
  public Map<String, String> environment(Place place) {
    return switch (this) {
      case OURS -> Map.of("NCCL_SOCKET_IFNAME", "=" + place.device());
      case JUCX ->
          Map.of(
              "UCX_TLS", "tcp",
              "UCX_NET_DEVICES", place.device(),
              "UCX_WARN_UNUSED_ENV_VARS", "n");
      default -> Map.of();
    };
  }

  /**
   * Builds or fetches what this side needs.
   *
   * @return why that cannot be had; empty where it is there
   */
  String prepare() throws IOException, InterruptedException {
    return switch (this) {
      case OURS -> "";
      case C_SPIN, C_POLL, C_SINGLE -> compile();
      case JUCX ->
          Files.exists(jar())
              ? ""
              : run(
                  root().resolve("mvnw").toString(),
                  "-q",
                  "-B",
                  "-N",
                  "-f",
                  root().resolve("pom.xml").toString(),
                  "dependency:copy",
                  "-Dartifact=org.openucx:jucx:" + JUCX_VERSION,
                  "-DoutputDirectory=" + jar().getParent());
    };
  }

  private static String compile() throws IOException, InterruptedException {
    Path source = root().resolve("bench/src/main/c/socket_peer.c");
    if (Files.exists(program())
        && Files.getLastModifiedTime(program()).compareTo(Files.getLastModifiedTime(source)) > 0) {
      return "";
    }
    Files.createDirectories(program().getParent());
    return run("cc", "-O2", "-Wall", "-o", program().toString(), source.toString());
  }

  /** Runs a command; returns its words where it fails. */
  static String run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String words =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(FETCH_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return command[0] + " does not end: " + words;
      }
      return process.exitValue() == 0 ? "" : String.join(" ", command) + ": " + words;
    } catch (IOException e) {
      return command[0] + ": " + e.getMessage();
    }
  }
}
