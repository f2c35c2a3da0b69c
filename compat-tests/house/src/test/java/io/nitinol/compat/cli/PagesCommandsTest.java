// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.sources.SourceFiles;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands that the pages print: those that end in seconds are run, of the others the
 * sub-command, the options, the modules, the profiles and the test classes exist.
 */
@Timeout(420)
class PagesCommandsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();

  /** What is slow is to warm up and to measure, and that is not what is tested here. */
  private static final String ITERATIONS = "2";

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
  private static final Pattern INLINE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern NITINOL =
      Pattern.compile("(?:^|[\\s/'`(])nitinol ([a-z]+)((?: [^;&|>)]*)?)");
  private static final Pattern MAVEN = Pattern.compile("mvnw(?: ([^;&|>]*))?");
  private static final Pattern OPTION = Pattern.compile("(?<=\\s)(--?[A-Za-z][A-Za-z_-]*)");
  private static final Pattern BARE_JAVA =
      Pattern.compile("(?m)(?:^|exec |-- )(?:java|javac|jar) ");

  /** What {@link #whatEndsInSecondsRuns} may run: variables and the words of the command. */
  private static final Pattern SIMPLE =
      Pattern.compile(
          "((?:[A-Z_]+=\\S+ )*)(?:\\./)?nitinol "
              + "((?:plugins|doctor|env|perf)\\b.*|topo(?: --json)?|help \\w+|sim [^-]* --hosts \\d+)");

  /** What of it needs a card, a plugin of the reader's, a file or the shell. */
  private static final Pattern NOT_SIMPLE =
      Pattern.compile("PLUGIN|=IB|NCCL_IB_|HOSTID|--device|…|\\$|[;&|<>']");

  /** Commands that are not run as they stand: see the head of the file. */
  private static final String NOT_RUN = "commands-not-run.tsv";

  /** A row of {@link #NOT_RUN}. */
  private record NotRun(Pattern line, int lines, String test, String word) {
    static NotRun parse(String row) {
      String[] columns = row.split("\t", -1);
      assertThat(columns).as("columns of %s", row).hasSize(4).doesNotContain("");
      String[] test = columns[2].split(" ", 2);
      return new NotRun(
          Pattern.compile(columns[0]),
          Integer.parseInt(columns[1]),
          test[0],
          test.length == 1 ? "" : test[1]);
    }
  }

  /** A line of a page that stands for a command. */
  private record Line(Path page, String text) {
    @Override
    public String toString() {
      return ROOT.relativize(page) + ": " + text;
    }
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String directory :
        List.of(
            "",
            "docs",
            "spi",
            "plugins-samples/net-plugin/src/main/resources/archetype-resources")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  /**
   * Returns the lines of the blocks of commands, without comments and with continued ones whole.
   */
  private static List<Line> blocks() throws IOException {
    List<Line> lines = new ArrayList<>();
    for (Path page : pages()) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        block
            .group(1)
            .replaceAll("\\\\\\n\\s*", " ")
            .lines()
            .map(line -> line.replaceFirst("(^|\\s)#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .forEach(line -> lines.add(new Line(page, line)));
      }
    }
    return lines;
  }

  private static List<Line> all() throws IOException {
    List<Line> lines = blocks();
    for (Path page : pages()) {
      Matcher inline = INLINE.matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""));
      while (inline.find()) {
        lines.add(new Line(page, inline.group(1)));
      }
    }
    return lines;
  }

  private static String output(String... arguments) throws IOException, InterruptedException {
    try (CommandProcess command = CommandProcess.start(arguments)) {
      assertThat(command.exit()).as("%s", command).isZero();
      return command.out();
    }
  }

  @Test
  void everyCommandAndOptionOfNitinolExists() throws Exception {
    Map<String, String> helps = new HashMap<>();
    Set<String> seen = new LinkedHashSet<>();
    for (Line line : all()) {
      Matcher command = NITINOL.matcher(line.text());
      while (command.find()) {
        String name = command.group(1);
        String help = helps.get(name);
        if (help == null) {
          help = output(name, "--help");
          helps.put(name, help);
        }
        seen.add(name);
        Matcher option = OPTION.matcher(ownWords(name, command.group(2)));
        while (option.find()) {
          assertThat(help)
              .as("%s in %s", option.group(1), line)
              .containsPattern(
                  "(?m)(^|[\\s,])" + Pattern.quote(option.group(1)) + "([\\s,=\\[]|$)");
        }
      }
    }
    assertThat(seen).contains("perf", "run", "tck", "plugins", "env", "switch");
  }

  /** Returns what is meant for the command itself, and not for the program that it starts. */
  private static String ownWords(String name, String words) {
    return name.equals("run") ? words.replaceFirst("\\s(--|sh|java)(\\s.*|$)", "") : words;
  }

  @Test
  void everyBuildNamesWhatExists() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    Set<String> classes = testClasses();
    int builds = 0;
    for (Line line : all()) {
      Matcher maven = MAVEN.matcher(line.text());
      while (maven.find()) {
        builds++;
        String[] words = String.valueOf(maven.group(1)).split("\\s+");
        for (int i = 0; i < words.length; i++) {
          if (words[i].equals("-pl")) {
            for (String module : words[i + 1].split(",")) {
              assertThat(ROOT.resolve(module).resolve("pom.xml")).as("%s", line).exists();
            }
          } else if (words[i].startsWith("-P")) {
            String profile = "<id>" + words[i].substring(2) + "</id>";
            assertThat(profiles(pom)).as("%s in %s", profile, line).contains(profile);
          } else if (words[i].startsWith("-Dtest=")) {
            for (String test : words[i].substring(7).replace("'", "").split(",")) {
              if (!test.contains("*")) {
                assertThat(classes).as("%s", line).contains(test);
              }
            }
          }
        }
      }
    }
    assertThat(builds).isGreaterThan(10);
  }

  private static String profiles(String pom) throws IOException {
    StringBuilder all = new StringBuilder(pom);
    for (String module : List.of("cli", "net-ib")) {
      all.append(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
    }
    return all.toString();
  }

  private static Set<String> testClasses() throws IOException {
    Set<String> names = new LinkedHashSet<>();
    SourceFiles.below(ROOT, file -> SourceFiles.isJava(file, "test")).stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> name.endsWith("Test.java"))
        .forEach(name -> names.add(name.replace(".java", "")));
    return names;
  }

  @Test
  void everyBenchmarkExists() throws IOException {
    for (Line line : all()) {
      Matcher bench = Pattern.compile("(?:^|[\\s;])bench/([a-z0-9-]+)").matcher(line.text());
      while (bench.find()) {
        assertThat(ROOT.resolve("bench").resolve(bench.group(1))).as("%s", line).exists();
      }
    }
  }

  /** The default java of a machine may be older than the one that Nitinol needs. */
  @Test
  void noCommandTakesTheDefaultJava() throws IOException {
    int found = 0;
    for (Path page : pages()) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        boolean example = block.group(1).contains("java ..."); // stands for a program
        if (!example && BARE_JAVA.matcher(block.group(1)).find()) {
          found++;
          assertThat(block.group(1))
              .as("%s", page)
              .contains("PATH=$(sh .mvn/find-jdk.sh)/bin:$PATH");
        }
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(2);
  }

  /**
   * With small messages, few of them, and once where several pages print the same; what needs a
   * card, a plugin of the reader's or a file is left out. The build runs perf with two ranks, which
   * are threads, and the smallest messages. It runs each sub-command once without variables and
   * once with each set of them: that the options exist, the first test looks up.
   */
  @Tag(Thorough.TAG)
  @Test
  @Slow
  void whatEndsInSecondsRuns(@TempDir Path directory) throws Exception {
    Set<String> run = new LinkedHashSet<>();
    for (Line line : blocks()) {
      Matcher command = SIMPLE.matcher(line.text());
      if (!isRun(line.text()) || !command.matches()) {
        continue;
      }
      Map<String, String> variables = new TreeMap<>();
      for (String each : command.group(1).strip().split("\\s+")) {
        if (each.contains("=")) {
          variables.put(
              each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
      }
      List<String> words = new ArrayList<>(Arrays.asList(command.group(2).strip().split("\\s+")));
      if (words.getFirst().equals("perf")) {
        quicken(words, directory);
      }
      if (!run.add(
          Thorough.ON ? variables + " " + words : variables.keySet() + " " + words.getFirst())) {
        continue;
      }
      try (CommandProcess process = CommandProcess.start(variables, words.toArray(String[]::new))) {
        assertThat(process.exit()).as("%s: %s", line, process).isZero();
      }
    }
    assertThat(run).hasSizeGreaterThan(4);
  }

  private static boolean isRun(String line) {
    return SIMPLE.matcher(line).matches()
        && !NOT_SIMPLE.matcher(line).find()
        && (!line.contains("nitinol perf") || line.contains("-n "));
  }

  /** A command that is added to a page is run, or somebody says why not. */
  @Test
  void aCommandThatIsNotRunHasItsReason() throws IOException {
    List<NotRun> rows =
        resource().lines().filter(row -> !row.startsWith("#")).map(NotRun::parse).toList();
    Map<NotRun, Set<String>> lines = new HashMap<>();
    int run = 0;
    for (Line line : blocks()) {
      if (isRun(line.text())) {
        run++;
        continue;
      }
      NotRun first =
          rows.stream()
              .filter(row -> row.line().matcher(line.text()).matches())
              .findFirst()
              .orElse(null);
      assertThat(first)
          .as("%s: neither run by this test nor in %s with the reason", line, NOT_RUN)
          .isNotNull();
      lines.computeIfAbsent(first, _ -> new LinkedHashSet<>()).add(line.text());
    }
    assertThat(run).as("lines that are run").isGreaterThan(20);
    for (NotRun row : rows) {
      assertThat(lines.getOrDefault(row, Set.of()))
          .as("different lines of the row %s in %s: does its reason fit?", row.line(), NOT_RUN)
          .hasSize(row.lines());
      if (!row.test().equals("-")) {
        assertThat(testSources(row.test())).as("the test of %s", row).contains(row.word());
      }
    }
  }

  /** Returns the text of the classes of a name, of which there is at least one. */
  private static String testSources(String name) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file :
        SourceFiles.below(
            ROOT, path -> SourceFiles.isJava(path, "test") && path.endsWith(name + ".java"))) {
      text.append(Files.readString(file));
    }
    assertThat(text).as("the class %s", name).isNotEmpty();
    return text.toString();
  }

  private static String resource() throws IOException {
    try (InputStream in = PagesCommandsTest.class.getResourceAsStream(NOT_RUN)) {
      return new String(Objects.requireNonNull(in, NOT_RUN).readAllBytes(), UTF_8);
    }
  }

  /** Keeps each option, and changes how much is measured and where the file goes. */
  private static void quicken(List<String> words, Path directory) {
    boolean timed = words.contains("--interval");
    if (timed || words.contains("--pairs")) {
      put(words, "-b", "1K"); // of one size
    } else if (!words.contains("-e") || !Thorough.ON) {
      put(words, "-e", "1K");
    }
    if (!Thorough.ON) {
      put(words, "-n", "2");
      words.add("--threads"); // PerfTest and others start processes
    }
    if (timed) {
      put(words, "--interval", "0.1");
      put(words, "--seconds", "0.2");
    } else {
      put(words, "--iters", ITERATIONS);
    }
    if (!words.contains("-w")) {
      put(words, "-w", "1");
    }
    for (String option : List.of("--json", "--histogram")) {
      int file = words.indexOf(option) + 1;
      if (file > 0) {
        words.set(file, directory.resolve(words.get(file)).toString());
      }
    }
  }

  /** Gives an option a value, or another one where it has one. */
  private static void put(List<String> words, String option, String value) {
    int at = words.indexOf(option) + 1;
    if (at > 0) {
      words.set(at, value);
    } else {
      words.addAll(List.of(option, value));
    }
  }
}
