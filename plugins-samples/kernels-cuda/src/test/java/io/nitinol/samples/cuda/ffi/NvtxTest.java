// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranges reach a tool that asks for them as NVTX's headers let it; each case is a process. */
@Timeout(120)
class NvtxTest {
  @TempDir static Path directory;

  /** Begins two ranges, one in the other, and ends them. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      System.out.println("there " + Nvtx.isThere());
      MemorySegment outer = Nvtx.name("nitinol all_reduce");
      Nvtx.push(outer);
      Nvtx.push(Nvtx.name("within"));
      Nvtx.pop();
      Nvtx.pop();
    }
  }

  @BeforeAll
  static void compileTheTool() throws IOException, InterruptedException {
    ProcessBuilder compiler =
        new ProcessBuilder(
            "gcc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", tool(), "src/test/c/nvtx_tool.c");
    Process process;
    try {
      process = compiler.inheritIO().start();
    } catch (IOException e) {
      abort("no gcc here, so no tool: " + e.getMessage());
      return;
    }
    assertThat(process.waitFor()).isZero();
  }

  private static String tool() {
    return directory.resolve("libtool.so").toString();
  }

  private static List<String> run(@Nullable String library, @Nullable String wants)
      throws IOException, InterruptedException {
    ProcessBuilder program =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            String.join(File.pathSeparator, "target/classes", "target/test-classes"),
            Program.class.getName());
    program
        .environment()
        .keySet()
        .removeAll(List.of(Nvtx.INJECTION, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    if (library != null) {
      program.environment().put(Nvtx.INJECTION, library);
    }
    if (wants != null) {
      program.environment().put("NVTX_TOOL_WANTS", wants);
    }
    Process process = program.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  @Test
  void aToolSeesEachRangeBeginAndEnd() throws Exception {
    assertThat(run(tool(), null))
        .containsExactly("there true", "push nitinol all_reduce", "push within", "pop", "pop");
  }

  @Test
  void withoutAToolNothingIsCalled() throws Exception {
    assertThat(run(null, null)).containsExactly("there false");
  }

  @Test
  void aToolThatWantsNoRangesOrRefusesGetsNone() throws Exception {
    assertThat(run(tool(), "nothing")).containsExactly("there false");
    assertThat(run(tool(), "no")).containsExactly("there false");
  }

  @Test
  void aLibraryThatIsNoneIsLeftOut() throws Exception {
    assertThat(run("/nowhere/libtool.so", null)).containsExactly("there false");
    Path other = Path.of("/lib/x86_64-linux-gnu/libm.so.6");
    Assumptions.assumeTrue(other.toFile().exists(), () -> other + " is not there");
    assertThat(run(other.toString(), null)).containsExactly("there false");
  }
}
