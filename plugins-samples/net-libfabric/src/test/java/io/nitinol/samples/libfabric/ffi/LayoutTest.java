// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bindings are what the headers say: a C program made from the list of bindings compares. */
class LayoutTest {
  private static final Path DIRECTORY = Path.of("src/main/jextract");

  @TempDir private Path directory;

  @Test
  void offsetsSizesAndConstantsAreTheHeaders() throws Exception {
    assumeTrue(run("gcc", "--version") == 0, "no gcc here: the bindings are not compared");
    Files.copy(DIRECTORY.resolve("fabric.h"), directory.resolve("headers.h"));
    Files.writeString(directory.resolve("empty.c"), "#include \"headers.h\"\n");
    assumeTrue(
        run("gcc", "-fsyntax-only", directory.resolve("empty.c").toString()) == 0,
        "gcc finds no rdma/fabric.h (Debian: libfabric-dev): the bindings are not compared");
    List<String> checks = checks();
    assertThat(checks).hasSizeGreaterThan(300);
    Path source = directory.resolve("probe.c");
    Files.writeString(
        source,
        "#include \"headers.h\"\n#include <stddef.h>\n" + String.join("\n", checks) + "\n");
    Path log = directory.resolve("log");
    Process compiler =
        new ProcessBuilder("gcc", "-fsyntax-only", source.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(compiler.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(log)).isEmpty();
    assertThat(compiler.exitValue()).isZero();
  }

  private static List<String> checks() throws Exception {
    List<String> checks = new ArrayList<>();
    for (String line : Files.readAllLines(DIRECTORY.resolve("fabric.args"))) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "--include-struct" -> members(words[1], checks);
        case "--include-constant" -> {
          Number bound = (Number) fabric_h.class.getMethod(words[1]).invoke(null);
          checks.add(check(words[1] + " == " + bound.longValue() + "LL", words[1]));
        }
        default -> {}
      }
    }
    return checks;
  }

  private static void members(String type, List<String> checks) throws Exception {
    Class<?> binding = Class.forName(LayoutTest.class.getPackageName() + "." + type);
    GroupLayout layout = (GroupLayout) binding.getMethod("layout").invoke(null);
    // A struct may be longer than its binding, which newer versions make it.
    checks.add(check("sizeof(struct " + type + ") >= " + layout.byteSize(), type));
    for (MemoryLayout member : layout.memberLayouts()) {
      if (member instanceof PaddingLayout) {
        continue;
      }
      String name = member.name().orElseThrow();
      long offset = layout.byteOffset(PathElement.groupElement(name));
      String where = type + "." + name;
      checks.add(check("offsetof(struct " + type + ", " + name + ") == " + offset, where));
      checks.add(
          check(
              "sizeof(((struct " + type + " *)0)->" + name + ") == " + member.byteSize(), where));
    }
  }

  private static String check(String condition, String what) {
    return "_Static_assert(" + condition + ", \"" + what + "\");";
  }

  private int run(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(240, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (java.io.IOException e) {
      return -1;
    }
  }
}
