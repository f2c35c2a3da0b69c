// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Asks the C compiler about a header of ours, or about the one that a system property names: NCCL's
 * own have the same type names.
 */
final class AbiProbe {
  private final Path header;
  private final StringBuilder questions = new StringBuilder();
  private final StringBuilder calls = new StringBuilder();

  /**
   * Makes a probe.
   *
   * @param header the header's name without {@code .h}
   * @param property names the system property for another
   */
  AbiProbe(String header, String property) {
    this.header =
        Path.of(System.getProperty(property, "src/main/c/" + header + ".h")).toAbsolutePath();
  }

  /** Asks for the value of an expression. */
  void ask(String name, String expression) {
    questions.append("  P(\"%s\", %s);\n".formatted(name, expression));
  }

  /**
   * Calls a member of a struct with a pointer, a 32-bit or a 64-bit number for each letter; with
   * these options the compiler refuses one too many or too few, and another kind or width.
   */
  void call(String type, String member, Signature signature) {
    List<String> arguments = new ArrayList<>();
    for (char letter : signature.parameters().toCharArray()) {
      arguments.add(letter == 'p' ? "pointer" : letter == 'i' ? "number" : "wide");
    }
    calls.append(
        "  (void)((%s *)pointer)->%s(%s);\n".formatted(type, member, String.join(", ", arguments)));
  }

  /** Returns the answers; skips the test, with the reason, where there is no compiler. */
  Map<String, Long> answers() throws IOException, InterruptedException {
    assumeTrue(runs("cc", "--version"), "no C compiler here (cc): the tables are not compared");
    Path directory = Files.createTempDirectory("nitinol-abi");
    Path source = directory.resolve("probe.c");
    Path program = directory.resolve("probe");
    try {
      Files.writeString(source, source());
      run(
          "cc",
          "-std=c11",
          "-Wall",
          "-Wextra",
          "-Wconversion",
          "-Wsign-conversion",
          "-Werror",
          "-o",
          program.toString(),
          source.toString());
      Map<String, Long> answers = new TreeMap<>();
      for (String line : run(program.toString()).split("\n")) {
        String[] fields = line.split("=");
        answers.put(fields[0], Long.valueOf(fields[1]));
      }
      return answers;
    } finally {
      Files.deleteIfExists(program);
      Files.deleteIfExists(source);
      Files.delete(directory);
    }
  }

  private String source() {
    return """
        #include <stdio.h>
        #include "%s"
        #define P(n, v) printf("%%s=%%lld\\n", n, (long long)(v))
        void calls(void *pointer, int number, unsigned long wide);
        void calls(void *pointer, int number, unsigned long wide) {
        (void)number; (void)wide;
        %s}
        int main(void) {
        %s  return 0;
        }
        """
        .formatted(header, calls, questions);
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s: %s", List.of(command), output).isZero();
    return output;
  }
}
