// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.rules.SmokeRules;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract and the kit agree on what is tested. */
class RuleCatalogTest {

  @Test
  void everyRuleHasATestOrTheReasonWhyNot() {
    Set<String> untested = new TreeSet<>();
    for (SpecRule rule : Spec.current().rules()) {
      if (rule.isTestable()) {
        untested.add(rule.id());
      }
    }
    RuleCatalog.cases().forEach(test -> untested.remove(test.rule()));
    assertThat(untested).as("rules marked [kit] without a test").isEmpty();
  }

  @Test
  void everyTestIsOfARuleThatTheContractMarks() {
    for (RuleCase test : RuleCatalog.cases()) {
      SpecRule rule = Spec.current().find(test.rule());
      assertThat(rule).as("the rule of %s", test.method()).isNotNull();
      assertThat(rule.untestable()).as("why %s cannot be tested", test.rule()).isNull();
    }
  }

  @Test
  void everyClassThatHoldsTestsIsInTheCatalog() throws Exception {
    Set<String> catalog = new TreeSet<>();
    RuleCatalog.cases().forEach(test -> catalog.add(test.method().getDeclaringClass().getName()));
    Path directory =
        Path.of(SmokeRules.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve(SmokeRules.class.getPackageName().replace('.', '/'));
    Set<String> holders = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          Class<?> type =
              Class.forName(
                  SmokeRules.class.getPackageName() + "." + name.substring(0, name.length() - 6));
          if (Stream.of(type.getDeclaredMethods())
              .anyMatch(method -> method.isAnnotationPresent(Rule.class))) {
            holders.add(type.getName());
          }
        }
      }
    }
    assertThat(holders).as("classes with an @Rule method").isEqualTo(catalog);
  }

  @Test
  void aTestIsFoundByRuleNameAndKindAlone() {
    Set<List<Object>> seen = new HashSet<>();
    for (RuleCase test : RuleCatalog.cases()) {
      assertThat(seen.add(List.of(test.rule(), test.name(), test.kind())))
          .as("a second test %s %s", test.rule(), test.name())
          .isTrue();
      assertThat(Modifier.isStatic(test.method().getModifiers())).as("%s", test.method()).isFalse();
    }
  }
}
