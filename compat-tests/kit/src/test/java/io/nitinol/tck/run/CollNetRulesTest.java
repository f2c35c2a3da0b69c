// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every rule that the contract lists for CollNets has a test with a CollNet. */
class CollNetRulesTest {
  private static final Pattern LISTED =
      Pattern.compile("NET-([A-Z]+)-(?:(\\*)|(\\d\\d)(?: to NET-\\1-(\\d\\d))?)");

  @Test
  void everyRuleThatIsListedIsTested() throws IOException {
    assertThat(tested()).containsAll(wanted());
  }

  private static Set<String> tested() {
    return RuleCatalog.cases().stream()
        .filter(test -> test.kind() == Kind.COLLNET)
        .map(RuleCase::rule)
        .collect(Collectors.toSet());
  }

  private static Set<String> wanted() throws IOException {
    Set<String> listed = new TreeSet<>();
    Matcher matcher = LISTED.matcher(paragraph());
    while (matcher.find()) {
      String area = "NET-" + matcher.group(1) + "-";
      int first = matcher.group(2) != null ? 1 : Integer.parseInt(matcher.group(3));
      int last =
          matcher.group(2) != null
              ? 99
              : matcher.group(4) != null ? Integer.parseInt(matcher.group(4)) : first;
      for (int i = first; i <= last; i++) {
        listed.add(area + String.format("%02d", i));
      }
    }
    assertThat(listed).contains("NET-INIT-02", "NET-CLOSE-09", "NET-ERR-08", "NET-MEM-04");
    Set<String> wanted = new TreeSet<>();
    for (SpecRule rule : Spec.current().rules()) {
      if (rule.isTestable() && (listed.contains(rule.id()) || rule.id().startsWith("COLL-"))) {
        wanted.add(rule.id());
      }
    }
    return wanted;
  }

  /** The sentence that names the rules which hold word for word. */
  private static String paragraph() throws IOException {
    try (InputStream in = Spec.class.getResourceAsStream("/io/nitinol/tck/SPEC.md")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      int start = text.indexOf("Rules of Net that hold word for word");
      assertThat(start).isPositive();
      return text.substring(start, text.indexOf("\n\n", start)).replace('\n', ' ');
    }
  }
}
