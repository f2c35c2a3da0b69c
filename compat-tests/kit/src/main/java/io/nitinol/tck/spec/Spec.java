// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The contract of the plugin interfaces, read from the SPEC.md that is packed with the kit. */
public final class Spec {
  private static final String RESOURCE = "/io/nitinol/tck/SPEC.md";
  private static final Pattern RULE =
      Pattern.compile(
          "^- \\*\\*([A-Z][A-Z0-9-]*-[0-9]{2})\\*\\* \\((\\w+)\\) \\[(kit|untestable: ([^\\]]+))] (.+)$",
          Pattern.MULTILINE);

  /** Where a rule goes on in the next line, which is indented as Markdown's list items are. */
  private static final Pattern WRAP = Pattern.compile("\\R {2}(?=\\S)");

  private static final class Packed {
    static final Spec INSTANCE = read();
  }

  private final Map<String, SpecRule> rules;

  private Spec(Map<String, SpecRule> rules) {
    this.rules = Collections.unmodifiableMap(rules);
  }

  /** Returns the contract that this kit was built with. */
  public static Spec current() {
    return Packed.INSTANCE;
  }

  /**
   * Reads the rules from a contract's text.
   *
   * @throws IllegalArgumentException when a number is given twice, or there are no rules
   */
  static Spec parse(String markdown) {
    Map<String, SpecRule> rules = new LinkedHashMap<>();
    Matcher matcher = RULE.matcher(WRAP.matcher(markdown).replaceAll(" "));
    while (matcher.find()) {
      String id = matcher.group(1);
      SpecRule rule = new SpecRule(id, matcher.group(2), matcher.group(4), matcher.group(5));
      if (rules.put(id, rule) != null) {
        throw new IllegalArgumentException("the contract has two rules " + id);
      }
    }
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("the contract has no rules");
    }
    return new Spec(rules);
  }

  /** Returns all rules in the order of the text. */
  public Collection<SpecRule> rules() {
    return rules.values();
  }

  /** Returns the rule with this id; null where there is none. */
  public @Nullable SpecRule find(String id) {
    return rules.get(id);
  }

  private static Spec read() {
    try (InputStream in = Spec.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the kit's jar");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }
}
