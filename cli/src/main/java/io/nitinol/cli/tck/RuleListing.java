// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.inspect.TextTable;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The rules of the contract as a table, with their texts. */
final class RuleListing {
  private RuleListing() {}

  /**
   * Returns the lines.
   *
   * @param ids the rules to show; empty for all
   */
  static List<String> lines(Collection<String> ids) {
    TextTable table = new TextTable("RULE", "BINDS", "TESTED");
    int shown = 0;
    int tested = 0;
    for (SpecRule rule : Spec.current().rules()) {
      if (ids.isEmpty() || ids.contains(rule.id())) {
        shown++;
        tested += rule.isTestable() ? 1 : 0;
        table.row(rule.id(), rule.binds(), rule.isTestable() ? "yes" : "no: " + rule.untestable());
        table.note(rule.text());
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(shown + " rules, " + tested + " of them tested by the kit.");
    return lines;
  }
}
