// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.cli.command.CommandVersion;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.cli.doctor.DoctorFinding.State;
import io.nitinol.cli.inspect.TextTable;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * All findings, as text and as JSON; {@code docs/doctor.md} describes both.
 *
 * @param findings in the order in which they are shown
 * @param failure the message a selection of the network would fail with, or why that is not known;
 *     null where one is chosen
 */
record DoctorReport(List<DoctorFinding> findings, @Nullable String failure) {
  private static final int FORMAT = 1;

  /** Of a sentence; the table puts a few blanks before it. */
  private static final int COLUMNS = 92;

  /** Copies the list. */
  DoctorReport {
    findings = List.copyOf(findings);
  }

  int exitStatus() {
    return count(State.PROBLEM) == 0 ? ExitStatus.OK : ExitStatus.TRANSPORT;
  }

  private long count(State state) {
    return findings.stream().filter(finding -> finding.state() == state).count();
  }

  List<String> text() {
    TextTable table = new TextTable("WHAT", "STATE", "HERE");
    for (DoctorFinding finding : findings) {
      table.row(finding.name(), finding.state().label(), finding.seen());
      if (finding.why() != null) {
        UserTerminal.wrapped(finding.why(), COLUMNS).forEach(table::note);
      }
      if (finding.mend() != null) {
        table.note("to mend it: " + finding.mend());
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(summary());
    if (failure != null) {
      lines.add("");
      lines.add(failure);
    }
    return lines;
  }

  private String summary() {
    long unknown = count(State.UNKNOWN);
    String known =
        ErrorText.of(
            "%s, %s",
            number(count(State.PROBLEM), "problem"), number(count(State.WARNING), "warning"));
    return unknown == 0 ? known : ErrorText.of("%s, %d unknown", known, unknown);
  }

  private static String number(long count, String word) {
    return count == 0 ? "no " + word : count + " " + word + (count == 1 ? "" : "s");
  }

  String json() {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    root.put("format", FORMAT);
    root.put("version", CommandVersion.nitinol());
    ArrayNode shown = root.putArray("findings");
    for (DoctorFinding finding : findings) {
      shown
          .addObject()
          .put("name", finding.name())
          .put("state", finding.state().label())
          .put("seen", finding.seen())
          .put("why", finding.why())
          .put("mend", finding.mend());
    }
    root.put("problems", count(State.PROBLEM));
    root.put("warnings", count(State.WARNING));
    root.put("unknown", count(State.UNKNOWN));
    root.put("failure", failure);
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }
}
