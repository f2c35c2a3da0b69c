// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bindings are what the headers say: a C program made from the lists of bindings prints every
 * size, offset and constant, the compiler prints every prototype, and Java's are compared with
 * them, one by one. {@code params.h} is this module's; {@code cuda.h} may be absent.
 */
class LayoutTest {
  private static final Path LISTS = Path.of("src/main/jextract");
  private static final Path CUDA =
      Path.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda"), "include");
  private static final Pattern PROTOTYPE =
      Pattern.compile("extern CUresult (cu\\w+) \\((.*?)\\);");

  @TempDir Path directory;

  @Test
  void parametersAreThoseOfTheKernels() throws Exception {
    Map<String, Long> ours = new TreeMap<>();
    for (String type : listed("params.args", "--include-typedef")) {
      layout(type, type, ours);
    }
    List<String> constants = listed("params.args", "--include-constant");
    for (String constant : constants) {
      ours.put(constant, constant(params_h.class, constant));
    }
    assertThat(ours).hasSizeGreaterThan(100);
    Path header = Path.of("src/main/cuda/params.h").toAbsolutePath();
    assertThat(ours).isEqualTo(probe("#include \"" + header + "\"", ours.keySet()));
  }

  @Test
  void structsAndConstantsAreTheDrivers() throws Exception {
    requireHeaders();
    Map<String, Long> ours = new TreeMap<>();
    for (String type : listed("cuda.args", "--include-struct")) {
      layout(type, "struct " + type, ours);
    }
    for (String constant : listed("cuda.args", "--include-constant")) {
      ours.put(constant, constant(cuda_constants.class, constant));
    }
    assertThat(ours).hasSizeGreaterThan(130);
    assertThat(ours).isEqualTo(probe("#include <cuda.h>", ours.keySet()));
  }

  @Test
  void prototypesAreTheDrivers() throws Exception {
    requireHeaders();
    Path source = directory.resolve("empty.c");
    Path prototypes = directory.resolve("prototypes");
    Files.writeString(source, "#include <cuda.h>\n");
    run("gcc", "-fsyntax-only", "-aux-info", prototypes.toString(), "-I" + CUDA, source.toString());
    Map<String, String> theirs = new TreeMap<>();
    for (String line : Files.readAllLines(prototypes)) {
      Matcher matcher = PROTOTYPE.matcher(line);
      if (matcher.find()) {
        List<String> kinds = new ArrayList<>();
        if (!matcher.group(2).equals("void")) {
          Arrays.stream(matcher.group(2).split(", ")).map(LayoutTest::kind).forEach(kinds::add);
        }
        theirs.put(matcher.group(1), String.join(" ", kinds));
      }
    }
    List<String> functions = listed("cuda.args", "--include-function");
    assertThat(functions).hasSizeGreaterThan(50);
    for (String function : functions) {
      FunctionDescriptor descriptor = descriptor(function);
      List<String> kinds =
          descriptor.argumentLayouts().stream().map(LayoutTest::kind).toList();
      assertThat(String.join(" ", kinds)).as(function).isEqualTo(theirs.get(function));
      assertThat(descriptor.returnLayout()).as(function).hasValue(cuda_h.C_INT);
    }
  }

  /** The version by which a function is asked for is one that the headers know. */
  @Test
  void versionsAreThoseOfTheHeaders() throws Exception {
    requireHeaders();
    String types = Files.readString(CUDA.resolve("cudaTypedefs.h"));
    int seen = 0;
    for (Field field : cuda_h.class.getDeclaredFields()) {
      if (field.getName().endsWith("$version")) {
        String base = field.getName().replaceAll("(_v\\d+)?\\$version$", "");
        assertThat(types).contains("PFN_" + base + "_v" + field.getInt(null) + ")");
        seen++;
      }
    }
    assertThat(seen).isEqualTo(listed("cuda.args", "--include-function").size());
  }

  private static void requireHeaders() {
    assumeTrue(
        Files.exists(CUDA.resolve("cuda.h")),
        "no " + CUDA.resolve("cuda.h") + " (set CUDA_HOME): the bindings are not compared");
  }

  private static List<String> listed(String file, String option) throws IOException {
    return Files.readAllLines(LISTS.resolve(file)).stream()
        .filter(line -> line.startsWith(option + " "))
        .map(line -> line.substring(option.length() + 1))
        .toList();
  }

  private static long constant(Class<?> holder, String name) throws ReflectiveOperationException {
    return ((Number) holder.getDeclaredMethod(name).invoke(null)).longValue();
  }

  private static void layout(String type, String full, Map<String, Long> into)
      throws ReflectiveOperationException {
    Class<?> binding = Class.forName(LayoutTest.class.getPackageName() + "." + type);
    GroupLayout layout = (GroupLayout) binding.getMethod("layout").invoke(null);
    into.put("sizeof(" + full + ")", layout.byteSize());
    into.put("_Alignof(" + full + ")", layout.byteAlignment());
    long offset = 0;
    for (MemoryLayout member : layout.memberLayouts()) {
      if (!(member instanceof PaddingLayout)) {
        String name = member.name().orElseThrow();
        into.put("offsetof(" + full + ", " + name + ")", offset);
        into.put("sizeof(((" + full + " *)0)->" + name + ")", member.byteSize());
        assertThat(binding.getMethod(name + "$offset").invoke(null))
            .as("%s.%s", type, name)
            .isEqualTo(offset);
      }
      offset += member.byteSize();
    }
  }

  private Map<String, Long> probe(String include, Iterable<String> expressions)
      throws IOException, InterruptedException {
    StringBuilder c =
        new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n")
            .append(include)
            .append("\nint main(void) {\n");
    for (String expression : expressions) {
      c.append("printf(\"%s=%lld\\n\", \"")
          .append(expression)
          .append("\", (long long)(")
          .append(expression)
          .append("));\n");
    }
    Path source = directory.resolve("probe.c");
    Path program = directory.resolve("probe");
    Files.writeString(source, c.append("return 0;\n}\n"));
    try {
      run("gcc", "--version");
    } catch (IOException e) {
      abort("no gcc here: the bindings are not compared");
    }
    run("gcc", "-I" + CUDA, "-o", program.toString(), source.toString());
    Map<String, Long> values = new TreeMap<>();
    for (String line : run(program.toString()).split("\n")) {
      int equals = line.lastIndexOf('=');
      values.put(line.substring(0, equals), Long.valueOf(line.substring(equals + 1)));
    }
    return values;
  }

  private static FunctionDescriptor descriptor(String function) throws Exception {
    for (Class<?> nested : cuda_h.class.getDeclaredClasses()) {
      if (nested.getSimpleName().equals(function)) {
        Field descriptor = nested.getDeclaredField("DESC");
        descriptor.setAccessible(true);
        return (FunctionDescriptor) descriptor.get(null);
      }
    }
    throw new AssertionError("no binding of " + function);
  }

  private static String kind(MemoryLayout layout) {
    return layout instanceof AddressLayout
        ? "pointer"
        : layout instanceof GroupLayout
            ? "struct" + layout.byteSize()
            : "int" + layout.byteSize() * 8;
  }

  private static String kind(String type) {
    if (type.contains("*")) {
      return "pointer";
    }
    return switch (type.replaceAll("\\b(const|enum)\\b", "").trim()) {
      case "unsigned char" -> "int8";
      case "int", "unsigned int", "CUdevice" -> "int32";
      case "size_t", "long unsigned int", "long long unsigned int", "CUdeviceptr", "cuuint64_t" ->
          "int64";
      case "CUipcMemHandle" -> "struct64";
      case "CUresult", "CUdevice_attribute", "CUdevice_P2PAttribute", "CUmemRangeHandleType",
          "CUstreamCaptureMode" ->
          "int32";
      case "CUcontext", "CUstream", "CUevent", "CUgraph", "CUgraphExec", "CUmodule",
          "CUfunction" ->
          "pointer";
      case String other -> other;
    };
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(List.of(command) + ": " + output);
    }
    return output;
  }
}
