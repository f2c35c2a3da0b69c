// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every wrong plugin of an area is caught by the rule that names its mistake, and not by a flood of
 * others: the build looks at those that are about the same, and with {@code
 * -Dnitinol.tck.settings=all} at every rule, which takes far longer. Several classes for each area,
 * so that they can run side by side in JVMs of their own: in one, the threads of one plugin would
 * be taken for another's.
 */
abstract class KillTable {

  /** The only wrong plugins to look at, by their simple names with commas; all where not set. */
  private static final String ONLY = "wrong";

  private static final boolean ALL = System.getProperty("nitinol.tck.settings", "").equals("all");

  /** A wrong plugin lets the kit wait often, and the right one below it answers at once. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Returns whether the wrong plugins of this rule are looked at here, or in another share. */
  abstract boolean holds(String rule);

  /**
   * Returns how many classes share the wrong plugins of these rules, each every so many of them.
   */
  int shares() {
    return 2;
  }

  /** Returns which share this is, from 0. */
  abstract int share();

  @TestFactory
  final Stream<DynamicTest> theKitNamesTheRuleThatIsBroken()
      throws IOException, URISyntaxException {
    List<DynamicTest> tests = new ArrayList<>();
    int held = 0;
    for (Class<?> wrong : wrongPlugins()) {
      String rule = wrong.getAnnotation(Breaks.class).value();
      if (holds(rule) && held++ % shares() == share()) {
        tests.add(dynamicTest(rule + " " + wrong.getSimpleName(), () -> kill(wrong)));
      }
    }
    assertThat(tests.isEmpty() && System.getProperty(ONLY) == null).isFalse();
    return tests.stream();
  }

  private static void kill(Class<?> wrong) {
    Breaks mistake = wrong.getAnnotation(Breaks.class);
    PluginUnderTest plugin = PluginUnderTest.of(wrong);
    KitOptions options = KitOptions.quick().withSeed(1).withPatience(PATIENCE);
    // Rules that need no processes, for which a hundred plugins would take an hour; then, with
    // processes, the rule that is broken, if it was not found yet.
    KitOptions first = ALL ? options : options.only(alike(mistake));
    List<CaseResult> results = new ArrayList<>(run(plugin, first.withoutProcesses()));
    if (!broken(results).contains(mistake.value())) {
      results.addAll(run(plugin, options.only(Set.of(mistake.value()))));
    }
    // Some mistakes need what other rules do before, and some more than a quick run has time for.
    if (!ALL && !broken(results).contains(mistake.value())) {
      results.addAll(run(plugin, options.withoutProcesses()));
    }
    if (!broken(results).contains(mistake.value())) {
      results.addAll(run(plugin, options.inFull().only(Set.of(mistake.value()))));
    }
    Set<String> others = broken(results);
    others.remove(mistake.value());
    others.removeAll(List.of(mistake.also()));
    assertThat(broken(results)).as(findings(results)).contains(mistake.value());
    assertThat(others).as(findings(results)).isEmpty();
  }

  /** Returns the rules of the same groups, such as NET-SEND. */
  private static Set<String> alike(Breaks mistake) {
    Set<String> groups = new TreeSet<>();
    groups.add(group(mistake.value()));
    for (String also : mistake.also()) {
      groups.add(group(also));
    }
    Set<String> rules = new TreeSet<>();
    for (SpecRule rule : Spec.current().rules()) {
      if (groups.contains(group(rule.id()))) {
        rules.add(rule.id());
      }
    }
    return rules;
  }

  private static String group(String rule) {
    return rule.substring(0, rule.lastIndexOf('-'));
  }

  private static List<CaseResult> run(PluginUnderTest plugin, KitOptions options) {
    return Kit.run(plugin, options, new KitListener() {}).cases();
  }

  private static Set<String> broken(List<CaseResult> results) {
    Set<String> broken = new TreeSet<>();
    for (CaseResult result : results) {
      String rule = result.broken();
      if (rule != null) {
        broken.add(rule);
      }
    }
    return broken;
  }

  private static String findings(List<CaseResult> results) {
    StringBuilder text = new StringBuilder("what the kit says");
    for (CaseResult result : results) {
      if (result.broken() != null) {
        text.append('\n').append(result.rule()).append(' ').append(result.test());
        text.append(" -> ").append(result.broken()).append(": ").append(result.why());
      }
    }
    return text.toString();
  }

  static List<Class<?>> wrongPlugins() throws IOException, URISyntaxException {
    Path directory =
        Path.of(KillTable.class.getProtectionDomain().getCodeSource().getLocation().toURI())
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
    return chosen(found);
  }

  private static List<Class<?>> chosen(List<Class<?>> all) {
    String only = System.getProperty(ONLY);
    if (only == null) {
      return all;
    }
    List<String> names = List.of(only.split(",", -1));
    assertThat(all).extracting(Class::getSimpleName).as("wrong plugins").containsAll(names);
    return all.stream().filter(type -> names.contains(type.getSimpleName())).toList();
  }

  private static Class<?> loaded(String name) {
    try {
      return Class.forName(name, false, KillTable.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
