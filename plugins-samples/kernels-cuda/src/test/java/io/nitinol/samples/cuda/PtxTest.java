// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed PTX is of the committed sources, and has the entries that its list names. */
class PtxTest {

  private static final Path SOURCES = Path.of("src/main/cuda");
  private static final Path PTX = Path.of("src/main/resources/io/nitinol/samples/cuda/ptx");
  private static final Pattern ENTRY = Pattern.compile("(?m)^\\.visible \\.entry (\\w+)\\(");
  private static final Pattern VERSION = Pattern.compile("V\\d+\\.\\d+\\.\\d+");

  private static final List<String> MOVES =
      List.of(
          "nitinol_local_copy",
          "nitinol_direct_move",
          "nitinol_pair_move",
          "nitinol_ll_move",
          "nitinol_ll_pairs",
          "nitinol_ll128_move",
          "nitinol_ring_gather",
          "nitinol_ring_broadcast");

  @TempDir Path compiled;

  @Test
  void listNamesEveryFamilyTypeAndOperator() throws IOException {
    TreeSet<String> wanted = new TreeSet<>(MOVES);
    for (DataType type : DataType.values()) {
      for (String family : List.of("local", "direct", "ll", "ll128", "ring")) {
        for (String op : List.of("sum", "prod", "max", "min", "scaled")) {
          wanted.add("nitinol_%s_reduce_%s_%s".formatted(family, name(type), op));
        }
      }
    }
    assertThat(listed().values().stream().flatMap(TreeSet::stream)).hasSameElementsAs(wanted);
  }

  @Test
  void listMatchesTheModules() throws IOException {
    TreeMap<String, TreeSet<String>> listed = listed();
    TreeSet<String> modules = new TreeSet<>();
    for (Path file : modules()) {
      String module = file.getFileName().toString().replace(".ptx.gz", "");
      assertThat(entries(ptx(file))).as("%s", file).isEqualTo(listed.get(module));
      if (file.getParent().endsWith("sm_80")) {
        modules.add(module);
      }
    }
    assertThat(modules).as("modules for sm_80").isEqualTo(listed.keySet());
  }

  @Test
  void ptxIsOfTheseSources() throws IOException {
    assertThat(Files.readString(PTX.resolve("sources.sha256")).strip())
        .as("run plugins-samples/kernels-cuda/ptx after a change in src/main/cuda")
        .isEqualTo(digestOfSources());
  }

  @Test
  void someModulesCompileToTheSameBytes() throws IOException, InterruptedException {
    List<String> some = List.of("sm_80/direct", "sm_80/local_f32", "sm_80/ll_i8", "sm_80/ring");
    compileAndCompare(some);
  }

  @Thorough
  @Test
  void allModulesCompileToTheSameBytes() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    for (Path file : modules()) {
      all.add(PTX.relativize(file).toString().replace(".ptx.gz", ""));
    }
    assertThat(all).hasSizeGreaterThan(50);
    compileAndCompare(all);
  }

  private void compileAndCompare(List<String> modules) throws IOException, InterruptedException {
    String committed = version(ptx(PTX.resolve(modules.get(0) + ".ptx.gz")));
    String here = nvccVersion();
    Assumptions.assumeTrue(
        here.equals(committed),
        () -> "nvcc here is %s, the committed PTX is by %s".formatted(here, committed));
    List<String> command = new ArrayList<>(List.of("./ptx", compiled.toString()));
    command.addAll(modules);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = text(process.getInputStream());
    assertThat(process.waitFor()).as(output).isZero();
    for (String module : modules) {
      assertThat(ptx(compiled.resolve(module + ".ptx.gz")))
          .as("%s: run plugins-samples/kernels-cuda/ptx", module)
          .isEqualTo(ptx(PTX.resolve(module + ".ptx.gz")));
    }
  }

  private static String nvccVersion() throws IOException, InterruptedException {
    String nvcc = System.getenv().getOrDefault("NVCC", "nvcc");
    Process process;
    try {
      process = new ProcessBuilder(nvcc, "--version").redirectErrorStream(true).start();
    } catch (IOException e) {
      return Assumptions.abort("no nvcc here: " + e.getMessage());
    }
    String output = text(process.getInputStream());
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return version(output);
  }

  private static String version(String text) {
    Matcher matcher = VERSION.matcher(text);
    assertThat(matcher.find()).as("a version in: %.400s", text).isTrue();
    return matcher.group();
  }

  private static TreeMap<String, TreeSet<String>> listed() throws IOException {
    TreeMap<String, TreeSet<String>> listed = new TreeMap<>();
    for (String line : Files.readAllLines(PTX.resolve("entries.txt"))) {
      String[] words = line.split(" ");
      assertThat(words).as("module and entry").hasSize(2);
      boolean added = listed.computeIfAbsent(words[0], m -> new TreeSet<>()).add(words[1]);
      assertThat(added).as("%s is listed once", line).isTrue();
    }
    return listed;
  }

  private static TreeSet<String> entries(String ptx) {
    TreeSet<String> entries = new TreeSet<>();
    Matcher matcher = ENTRY.matcher(ptx);
    while (matcher.find()) {
      entries.add(matcher.group(1));
    }
    return entries;
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> files = Files.walk(PTX)) {
      return files.filter(file -> file.toString().endsWith(".ptx.gz")).sorted().toList();
    }
  }

  private static String ptx(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return text(in);
    }
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  /** The digest that {@code ptx} writes: of all sources, those with the shorter suffix first. */
  private static String digestOfSources() throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
    for (String suffix : List.of(".cu", ".cuh", ".h")) {
      List<Path> files;
      try (Stream<Path> all = Files.list(SOURCES)) {
        files = all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
      }
      assertThat(files).as("%s", suffix).isNotEmpty();
      for (Path file : files) {
        digest.update(Files.readAllBytes(file));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String name(DataType type) {
    return switch (type) {
      case INT8 -> "i8";
      case UINT8 -> "u8";
      case INT32 -> "i32";
      case UINT32 -> "u32";
      case INT64 -> "i64";
      case UINT64 -> "u64";
      case FLOAT16 -> "f16";
      case FLOAT32 -> "f32";
      case FLOAT64 -> "f64";
      case BFLOAT16 -> "bf16";
      case FLOAT8E4M3 -> "f8e4m3";
      case FLOAT8E5M2 -> "f8e5m2";
    };
  }
}
