// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The changes on {@code docs/plugin-versions.md} lead from the sample of version 4 to plugins of
 * versions 6 and 12 that compile without a warning, connect without waiting and carry messages.
 */
@Slow
class VersionsPageTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```diff\\n(---|\\+\\+\\+) (\\S+)\\n(.*?)^```");

  /** What the steps are about: waiting, pieces, contexts, and that messages arrive. */
  private static final Set<String> RULES =
      Set.of(
          "NET-INIT-09",
          "NET-INIT-11",
          "NET-CONN-07",
          "NET-CONN-08",
          "NET-CONN-11",
          "NET-CONN-15",
          "NET-CONN-16",
          "NET-REG-03",
          "NET-SEND-01",
          "NET-RECV-08",
          "NET-FLUSH-04");

  @TempDir Path work;

  private static Map<String, String> sources(String sample) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    Path main = ROOT.resolve("plugins-samples").resolve(sample).resolve("src/main/java/io");
    try (Stream<Path> files = Files.walk(main)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        sources.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return sources;
  }

  /** Returns the section of the page under {@code heading}. */
  private static String section(String heading) throws IOException {
    String page = Files.readString(ROOT.resolve("docs/plugin-versions.md"));
    int start = page.indexOf("\n## " + heading + "\n");
    assertThat(start).as("the section %s", heading).isPositive();
    int end = page.indexOf("\n## ", start + 1);
    return page.substring(start, end < 0 ? page.length() : end);
  }

  /** Does what the blocks of a section say; returns how many lines they change. */
  private static int apply(String section, Map<String, String> sources) {
    int lines = 0;
    Matcher block = BLOCK.matcher(section);
    while (block.find()) {
      String file = block.group(2);
      if (block.group(1).equals("+++")) {
        assertThat(sources.put(file, side(block.group(3), '+'))).as(file).isNull();
        continue;
      }
      for (String hunk : block.group(3).split("(?m)^@@\\n", -1)) {
        if (!hunk.isEmpty()) {
          String old = side(hunk, '-');
          String text = sources.get(file);
          assertThat(text).as("%s, for\n%s", file, hunk).isNotNull();
          assertThat(text.split(Pattern.quote(old), -1))
              .as("in %s, once:\n%s", file, old)
              .hasSize(2);
          sources.put(file, text.replace(old, side(hunk, '+')));
          lines += (int) hunk.lines().filter(line -> line.matches("[-+].*")).count();
        }
      }
    }
    return lines;
  }

  /** Returns the lines of a change that both sides have, and those of the side {@code own}. */
  private static String side(String hunk, char own) {
    StringBuilder text = new StringBuilder();
    for (String line : hunk.lines().toList()) {
      if (line.isEmpty()) {
        text.append('\n'); // pages have no blanks at the end of a line
      } else if (line.charAt(0) == own || line.charAt(0) == ' ') {
        text.append(line, 1, line.length()).append('\n');
      }
    }
    return text.toString();
  }

  private Path compile(String name, Map<String, String> sources) throws IOException {
    Path from = Files.createDirectories(work.resolve(name + "-sources"));
    Path to = Files.createDirectories(work.resolve(name));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Files.writeString(from.resolve(source.getKey()), source.getValue());
    }
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> all = Files.list(from)) {
      List<String> options =
          List.of(
              "-d",
              to.toString(),
              "-cp",
              System.getProperty("java.class.path"),
              "-proc:none",
              "-Xlint:all,-processing,-classfile");
      compiler
          .getTask(
              said, files, null, options, null, files.getJavaFileObjectsFromPaths(all.toList()))
          .call();
    }
    assertThat(said.toString()).as(name).isEmpty();
    return to;
  }

  private static KitReport kit(Path classes, String plugin, int version) throws IOException {
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(services.resolve("io.nitinol.spi.net.v" + version + ".Net"), plugin + "\n");
    return Kit.run(
        PluginUnderTest.at(classes).withinProcess(),
        KitOptions.quick().only(RULES).withPatience(KitOptions.measuredPatience()),
        new KitListener() {});
  }

  @Test
  void theChangesLeadToVersions6And12() throws IOException {
    Map<String, String> sources = sources("net-v4");
    assertThat(apply(section("Version 4 to 6"), sources)).isGreaterThan(30);
    KitReport six = kit(compile("v6", sources), "io.nitinol.samples.netv4.SampleV4", 6);
    assertThat(six.brokenRules()).as("%s", six).isEmpty();
    assertThat(six.count(Outcome.PASSED)).as("%s", six).isGreaterThan(7);
    assertThat(apply(section("Version 6 to 12"), sources)).isGreaterThan(50);
    KitReport twelve = kit(compile("v12", sources), "io.nitinol.samples.netv4.SampleV4", 12);
    assertThat(twelve.brokenRules()).as("%s", twelve).isEmpty();
    assertThat(twelve.count(Outcome.PASSED))
        .as("with the rules of contexts: %s", twelve)
        .isGreaterThan(six.count(Outcome.PASSED));
  }

  @Test
  void theSampleOfVersion5NeedsOtherImportsOnly() throws IOException {
    Map<String, String> sources = sources("net-v5");
    sources.replaceAll((file, text) -> text.replace("spi.net.v5.", "spi.net.v6."));
    KitReport six = kit(compile("v5", sources), "io.nitinol.samples.netv5.SampleV5", 6);
    assertThat(six.brokenRules()).as("%s", six).isEmpty();
    assertThat(six.count(Outcome.PASSED)).as("%s", six).isGreaterThan(7);
  }
}
