// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every wrong plugin is caught by the rule that names its mistake, and not by a flood of others.
 */
class KillTableTest {

  @ParameterizedTest
  @MethodSource("wrongPlugins")
  void theKitNamesTheRuleThatIsBroken(Class<?> wrong) {
    Breaks mistake = wrong.getAnnotation(Breaks.class);
    KitReport report =
        Kit.run(PluginUnderTest.of(wrong), KitOptions.quick().withSeed(1), new KitListener() {});
    Set<String> others = new TreeSet<>(report.brokenRules());
    others.remove(mistake.value());
    others.removeAll(List.of(mistake.also()));
    assertThat(report.brokenRules()).as(findings(report)).contains(mistake.value());
    assertThat(others).as(findings(report)).isEmpty();
  }

  private static String findings(KitReport report) {
    StringBuilder text = new StringBuilder("what the kit says");
    for (CaseResult result : report.cases()) {
      if (result.broken() != null) {
        text.append('\n').append(result.rule()).append(' ').append(result.test());
        text.append(" -> ").append(result.broken()).append(": ").append(result.why());
      }
    }
    return text.toString();
  }

  static List<Class<?>> wrongPlugins() throws IOException, URISyntaxException {
    Path directory =
        Path.of(KillTableTest.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("io/nitinol/tck/wrong");
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class")) {
          Class<?> type = loaded("io.nitinol.tck.wrong." + name.substring(0, name.length() - 6));
          if (type.isAnnotationPresent(Breaks.class)) {
            found.add(type);
          }
        }
      }
    }
    return found;
  }

  private static Class<?> loaded(String name) {
    try {
      return Class.forName(name, false, KillTableTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
