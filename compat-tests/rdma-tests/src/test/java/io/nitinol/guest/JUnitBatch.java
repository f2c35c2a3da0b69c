// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.run.MachinePace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Runs JUnit tests in a guest and reports them as tests of the host's build. */
final class JUnitBatch {
  private static final String LAUNCHER = "org.junit.platform.console.ConsoleLauncher";
  private static final String FILE = "TEST-junit-jupiter.xml";

  /** Of each test, on an idle machine. */
  private static final Duration TEST_LIMIT = Duration.ofSeconds(60);

  private JUnitBatch() {}

  /**
   * Returns the command that runs all tests of a package, and those below it, with a tag.
   *
   * @param name of the command
   * @param classPath jars and directories that the tests need
   */
  static GuestCommand ofTag(
      String name, String classPath, String inPackage, String tag, Duration limit) {
    long seconds = MachinePace.measure().of(TEST_LIMIT).toSeconds();
    String start =
        "exec \"$@\" \"--config=junit.jupiter.execution.timeout.default=$((%d * CLOCK_PACE)) s\""
            .formatted(seconds);
    List<String> words = new ArrayList<>(List.of("sh", "-c", start, "sh"));
    words.addAll(List.of("java", "--enable-native-access=ALL-UNNAMED"));
    words.addAll(List.of("-cp", classPath, LAUNCHER, "execute"));
    words.addAll(List.of("--select-package=" + inPackage, "--include-tag=" + tag));
    words.addAll(List.of("--include-classname=.*Test", "--fail-if-no-tests"));
    words.addAll(List.of("--disable-banner", "--disable-ansi-colors", "--details=tree"));
    words.add("--reports-dir=/out/" + name);
    return new GuestCommand(name, words, Map.of(), limit);
  }

  /** Returns the tests of such a command, each passed or failed as it was in the guest. */
  static List<DynamicNode> report(GuestResult result) throws IOException {
    Path file = result.directory().resolve(FILE);
    assertThat(file).as("what JUnit has left, which says: %s", result).exists();
    List<DynamicNode> nodes = new ArrayList<>();
    read(file)
        .entrySet()
        .forEach(
            each -> nodes.add(DynamicContainer.dynamicContainer(each.getKey(), each.getValue())));
    nodes.add(
        DynamicTest.dynamicTest(
            "all", () -> assertThat(result.status()).as("status of JUnit: %s", result).isZero()));
    return nodes;
  }

  private static Map<String, List<DynamicTest>> read(Path file) throws IOException {
    Map<String, List<DynamicTest>> byClass = new TreeMap<>();
    try {
      NodeList cases =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("testcase");
      for (int i = 0; i < cases.getLength(); i++) {
        Element test = (Element) cases.item(i);
        byClass
            .computeIfAbsent(test.getAttribute("classname"), name -> new ArrayList<>())
            .add(DynamicTest.dynamicTest(test.getAttribute("name"), () -> verdict(test)));
      }
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException("not a report of JUnit: " + file, e);
    }
    return byClass;
  }

  /**
   * Judges a result: a test that was skipped fails, since it is here because it needs the guest.
   */
  private static void verdict(Element test) {
    for (String word : List.of("failure", "error", "skipped")) {
      NodeList found = test.getElementsByTagName(word);
      if (found.getLength() > 0) {
        Element what = (Element) found.item(0);
        throw new AssertionError(
            "%s.%s: %s in the guest: %s %s%n%s"
                .formatted(
                    test.getAttribute("classname"),
                    test.getAttribute("name"),
                    word,
                    what.getAttribute("type"),
                    what.getAttribute("message"),
                    test.getTextContent().strip()));
      }
    }
  }
}
