// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.Thorough;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code host.c}, built once, and what it needs to load the library of this build. */
final class HostProgram {
  private static final Path LIBRARY =
      Path.of("target/nccl/libnccl-net-nitinol.so").toAbsolutePath();
  private static final Path PROGRAM = Path.of("target/host").toAbsolutePath();
  private static final int SECONDS = 100;
  private static boolean built;

  /** What a run ended with. */
  record Outcome(int status, String words) {}

  private HostProgram() {}

  /** Builds the program, or skips the test where that cannot be. */
  static synchronized void build() throws Exception {
    assumeTrue(
        Files.exists(LIBRARY), LIBRARY + " was not built: there is no C compiler, see the build");
    if (!built) {
      compile(PROGRAM, List.of());
      built = true;
    }
  }

  private static void compile(Path program, List<String> more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "cc",
                "-O1",
                "-g",
                "-std=gnu17",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Isrc/main/c",
                "-o",
                program.toString(),
                "src/test/c/host.c"));
    command.addAll(more);
    command.addAll(List.of("-ldl", "-pthread"));
    assertThat(run(command, Map.of()).words()).isEmpty();
  }

  /** Runs a scenario in a program that was linked with the library, or has its sources in it. */
  static Outcome runLinked(boolean shared, String scenario, int version) throws Exception {
    build();
    Path program = Path.of("target/host-" + (shared ? "linked" : "whole")).toAbsolutePath();
    String headers = System.getProperty("java.home") + "/include";
    if (shared) {
      compile(
          program,
          List.of("-Wl,--no-as-needed", LIBRARY.toString(), "-Wl,-rpath," + LIBRARY.getParent()));
    } else {
      assumeTrue(Files.exists(Path.of(headers, "jni.h")), "there is no jni.h in " + headers);
      compile(
          program,
          List.of(
              "-rdynamic",
              "-fvisibility=hidden",
              "-I" + headers,
              "-I" + headers + "/linux",
              "src/main/c/nitinol.c",
              "src/main/c/jvm.c"));
    }
    return run(
        List.of(program.toString(), scenario, "STATIC_PLUGIN", Integer.toString(version)),
        Map.of("NCCL_NET_PLUGIN", "STATIC_PLUGIN"));
  }

  /** Gives the library of this build another name. */
  static void linkLibrary(Path name) throws Exception {
    build();
    Files.createSymbolicLink(name, LIBRARY);
  }

  /** Makes a copy of the library of this build, which is another library to the system. */
  static void copyLibrary(Path name) throws Exception {
    build();
    Files.copy(LIBRARY, name);
  }

  /** Runs a scenario with the network Socket on loopback; more variables override. */
  static Outcome run(String scenario, int version, Map<String, String> environment)
      throws Exception {
    build();
    return run(
        List.of(PROGRAM.toString(), scenario, LIBRARY.toString(), Integer.toString(version)),
        environment);
  }

  private static Outcome run(List<String> command, Map<String, String> more)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("host", ".out");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
      Map<String, String> environment = builder.environment();
      environment.keySet().removeIf(name -> name.startsWith("NCCL_") || name.startsWith("NITINOL"));
      environment.put("NCCL_SOCKET_IFNAME", "=lo");
      environment.put("NITINOL_NET", "Socket");
      environment.put("NITINOL_JAVA_HOME", System.getProperty("java.home"));
      environment.put("NITINOL_MODULE_PATH", modules());
      if (!Thorough.ON && !command.contains("exchange")) { // that one without options, as usual
        // A host lives for a second or two, in which what C2 compiles costs more than it gains.
        environment.put("NITINOL_JVM_OPTIONS", "-XX:TieredStopAtLevel=1");
      }
      environment.putAll(more);
      Process process = builder.start();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return new Outcome(-1, "not done after " + SECONDS + " s\n" + Files.readString(out));
      }
      return new Outcome(
          process.exitValue(), Files.readString(out, StandardCharsets.UTF_8).strip());
    } finally {
      Files.deleteIfExists(out);
    }
  }

  /** The modules that a distribution has, from where this build has them. */
  private static String modules() {
    return Stream.of("spi", "toolkit", "core", "net.nativeabi", "net.socket")
        .map(HostProgram::place)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String place(String module) {
    return ModuleLayer.boot()
        .configuration()
        .findModule("io.nitinol." + module)
        .flatMap(found -> found.reference().location())
        .map(place -> Path.of(place).toString())
        .orElseThrow(() -> new IllegalStateException("io.nitinol." + module + " is not here"));
  }
}
