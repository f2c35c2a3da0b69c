// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Builds what the benchmarks compare with. */
final class NativePrograms {
  private NativePrograms() {}

  /**
   * Runs a compiler.
   *
   * @throws IOException when it fails; its words are in the message
   */
  static void compile(List<String> command) throws IOException, InterruptedException {
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (compiler.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " fails:\n" + words);
    }
  }

  /** Returns whether a program can be started; one that is not there cannot. */
  static boolean works(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // it is not there
    }
  }

  /**
   * Builds the one-pass program for this processor, anew each time: another machine's would not
   * run.
   *
   * @param root the checkout
   * @return the program
   */
  static Path limit(Path root) throws IOException, InterruptedException {
    Path directory = root.resolve("bench/target/mpi");
    Files.createDirectories(directory);
    Path program = directory.resolve("allreduce_limit");
    Path source = root.resolve("bench/src/main/c/allreduce_limit.c");
    String compiler = works("gcc", "--version") ? "gcc" : "cc";
    compile(
        List.of(
            compiler,
            "-O3",
            "-march=native",
            "-pthread",
            "-o",
            program.toString(),
            source.toString()));
    return program;
  }
}
