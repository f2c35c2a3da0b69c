// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NCCL's side: where its library is, and the program that drives it.
 *
 * @param program {@code nccl_peer}
 * @param library {@code libnccl.so.2}
 */
record NcclPeer(Path program, Path library) {
  private static final String NAME = "libnccl.so.2";

  /** The version that the goals speak of. */
  private static final String VERSION = "2.28.9";

  private static final String ASK_PYTHON =
      "import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])";

  /**
   * Finds or builds both.
   *
   * @param root of the checkout, or of an archive that {@code --pack} made
   * @throws IOException where one is missing; the message says what was looked for
   */
  static NcclPeer find(Path root) throws IOException, InterruptedException {
    Path program = findProgram(root);
    return new NcclPeer(program, findLibrary(program));
  }

  /** Returns the first library of the version wanted, or else the first. */
  private static Path findLibrary(Path program) throws IOException, InterruptedException {
    String given = System.getenv("NCCL_LIB");
    List<Path> places = new ArrayList<>();
    if (given != null && !given.isEmpty()) {
      places.add(Path.of(given));
      places.add(Path.of(given, NAME));
    } else {
      for (String line : words("ldconfig", "-p").lines().toList()) {
        if (line.strip().startsWith(NAME) && line.contains("=> ")) {
          places.add(Path.of(line.substring(line.indexOf("=> ") + 3).strip()));
        }
      }
      String python = words("python3", "-c", ASK_PYTHON).strip();
      if (!python.isEmpty() && !python.contains("\n")) {
        places.add(Path.of(python, "lib", NAME));
      }
    }
    places.removeIf(place -> !Files.isRegularFile(place));
    for (Path place : places) {
      if (words(program.toString(), "--version", place.toString()).strip().equals(VERSION)) {
        return place;
      }
    }
    if (!places.isEmpty()) {
      return places.getFirst();
    }
    throw new IOException(
        "no %s: expected NCCL_LIB (%s) to name it, or ldconfig or python3's nvidia.nccl"
            .formatted(NAME, given == null ? "not set" : given));
  }

  /** Returns what a command prints, or nothing where it fails. */
  private static String words(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? words : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static Path findProgram(Path root) throws IOException, InterruptedException {
    Path source = root.resolve("bench/src/main/cuda/nccl_peer.cpp");
    Path packed = root.resolve("bin/nccl_peer");
    if (runs(packed)) {
      return packed;
    }
    Path program = root.resolve("bench/target/gpu/nccl_peer");
    if (Files.exists(program)
        && Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) > 0
        && runs(program)) {
      return program;
    }
    Files.createDirectories(program.resolveSibling("."));
    List<String> tried = new ArrayList<>();
    for (String compiler : List.of("nvcc", "/usr/local/cuda/bin/nvcc")) {
      String failure = build(compiler, source, program);
      if (failure == null) {
        return program;
      }
      tried.add(failure);
    }
    throw new IOException("cannot build " + source + ": " + String.join("; ", tried));
  }

  private static @Nullable String build(String compiler, Path source, Path program)
      throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(
                  compiler,
                  "-O2",
                  "-std=c++17",
                  "-cudart",
                  "static",
                  "-Xcompiler",
                  "-static-libstdc++,-static-libgcc",
                  "-o",
                  program.toString(),
                  source.toString(),
                  "-ldl")
              .redirectErrorStream(true)
              .start();
      String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? null : compiler + " says: " + words;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static boolean runs(Path program) throws IOException, InterruptedException {
    return Files.isExecutable(program)
        && new ProcessBuilder(program.toString(), "--runs").start().waitFor() == 0;
  }

  /** Returns the command of one process. */
  List<String> command(
      Path socket, GpuCase where, int process, String devices, GpuOptions options, Path idFile) {
    return List.of(
        program.toString(),
        socket.toString(),
        library.toString(),
        Integer.toString(process),
        Integer.toString(where.processes()),
        devices,
        Long.toString(options.capacity()),
        idFile.toString(),
        options.ncclRegister ? "1" : "0");
  }
}
