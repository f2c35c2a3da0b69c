// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the headers of this machine say of the bindings.
 *
 * @param layouts sizes, alignments and offsets, as {@code sizeof ibv_wc}
 * @param constants constants
 * @param prototypes functions, each with the kinds of its result and its arguments
 */
record HeaderProbe(
    Map<String, Long> layouts, Map<String, Long> constants, Map<String, String> prototypes) {

  private static final Pattern PROTOTYPE =
      Pattern.compile("extern (.*?[ *])(_?ibv_\\w+) \\((.*?)\\);");

  /** Compiles and runs the probe; skips the test, with the reason, where that cannot be. */
  static HeaderProbe compile(BindingList list) throws Exception {
    Path directory = Files.createTempDirectory("nitinol-probe");
    try {
      Path source = directory.resolve("probe.c");
      Files.writeString(source, source(list));
      Path program = directory.resolve("probe");
      Path prototypes = directory.resolve("prototypes");
      assumeTrue(runs("gcc", "--version"), "no gcc here: the bindings are not compared");
      Files.writeString(directory.resolve("empty.c"), "#include <infiniband/verbs.h>\n");
      assumeTrue(
          runs("gcc", "-fsyntax-only", directory.resolve("empty.c").toString()),
          "gcc finds no infiniband/verbs.h (Debian: libibverbs-dev): the bindings are not compared");
      run("gcc", "-aux-info", prototypes.toString(), "-o", program.toString(), source.toString());
      Map<String, Long> layouts = new TreeMap<>();
      Map<String, Long> constants = new TreeMap<>();
      for (String line : run(program.toString()).split("\n")) {
        String[] fields = line.split("=");
        (fields[0].contains(" ") ? layouts : constants).put(fields[0], Long.valueOf(fields[1]));
      }
      return new HeaderProbe(layouts, constants, prototypes(list, prototypes));
    } finally {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private static String source(BindingList list) throws ReflectiveOperationException {
    StringBuilder c =
        new StringBuilder("#include <infiniband/verbs.h>\n#include <stddef.h>\n#include <stdio.h>\n")
            .append("#define P(n, v) printf(\"%s=%lld\\n\", n, (long long)(v))\n")
            .append("int main(void) {\n");
    for (Map.Entry<String, String> type : list.types().entrySet()) {
      String name = type.getKey();
      String full = type.getValue() + " " + name;
      c.append("P(\"sizeof %s\", sizeof(%s));\n".formatted(name, full));
      c.append("P(\"alignof %s\", _Alignof(%s));\n".formatted(name, full));
      members(c, name, full, "", BindingList.layout(name));
    }
    for (String constant : list.constants()) {
      c.append("P(\"%s\", %s);\n".formatted(constant, constant));
    }
    return c.append("return 0;\n}\n").toString();
  }

  private static void members(
      StringBuilder c, String name, String full, String path, GroupLayout group) {
    for (MemoryLayout member : group.memberLayouts()) {
      String field = member.name().orElse("");
      if (member instanceof PaddingLayout) {
        continue;
      }
      if (field.startsWith("$anon")) {
        members(c, name, full, path, (GroupLayout) member);
        continue;
      }
      String at = path + field;
      c.append("P(\"offsetof %s.%s\", offsetof(%s, %s));\n".formatted(name, at, full, at));
      c.append("P(\"sizeof %s.%s\", sizeof(((%s *)0)->%s));\n".formatted(name, at, full, at));
      if (member instanceof GroupLayout nested && !BindingList.isType(nested, field)) {
        members(c, name, full, at + ".", nested);
      }
    }
  }

  private static Map<String, String> prototypes(BindingList list, Path file) throws IOException {
    Map<String, String> prototypes = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      Matcher matcher = PROTOTYPE.matcher(line);
      if (matcher.find() && list.functions().contains(matcher.group(2))) {
        StringBuilder kinds = new StringBuilder(kind(matcher.group(1)));
        if (!matcher.group(3).equals("void")) {
          Arrays.stream(matcher.group(3).split(", ")).forEach(p -> kinds.append(' ').append(kind(p)));
        }
        prototypes.put(matcher.group(2), kinds.toString());
      }
    }
    return prototypes;
  }

  private static String kind(String type) {
    if (type.contains("*")) {
      return "pointer";
    }
    return switch (type.replaceAll("\\b(const|extern)\\b", "").trim()) {
      case "void" -> "void";
      case "uint8_t" -> "int8";
      case "uint16_t" -> "int16";
      case "int", "unsigned int", "uint32_t" -> "int32";
      case "uint64_t", "__be64", "size_t" -> "int64";
      case String other when other.startsWith("enum ") -> "int32";
      case String other -> other;
    };
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      run(command);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(240, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(List.of(command) + ": " + output);
    }
    return output;
  }
}
