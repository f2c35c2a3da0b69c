// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Notes in a file what a run is about to do and what it has found, each in a line that the system
 * has before the plugin is called: it is there when the plugin has ended the process. {@link
 * RunNotes} reads it.
 */
@OneThread
final class NoteWriter {
  static final String PROCESS = "process";
  static final String RUN = "run";
  static final String STARTING = "starting";
  static final String SECONDS = "seconds";
  static final String RESULT = "result";
  static final String WAITING = "waiting";
  static final String RENEW = "renew";
  static final String AGAIN = "again";
  static final String EXIT = "exit";
  static final String ASKED = "asked";
  static final String END = "end";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;

  NoteWriter(Path file) {
    this.file = file;
  }

  /** A new process takes the run up. */
  void process() {
    append(MAPPER.createObjectNode().put(PROCESS, true));
  }

  /** The run is going to have these tests; the report that is noted has each of them as skipped. */
  void run(KitReport about, List<KitTest> tests) {
    KitReport plan =
        new KitReport(
            about.plugin(),
            about.lanes(),
            about.mode(),
            about.seed(),
            Duration.ZERO,
            tests.stream().map(NoteWriter::planned).toList(),
            about.argument(),
            about.flags(),
            tests.size(),
            about.library());
    append(MAPPER.createObjectNode().set(RUN, MAPPER.valueToTree(plan)));
  }

  /**
   * Returns a listener that notes, and that tells another one with the tests counted in of which
   * earlier processes have the results.
   */
  KitListener beside(KitListener other, int before) {
    return new KitListener() {
      @Override
      public void starting(KitTest test, int index, int total) {
        other.starting(test, before + index, before + total);
        ObjectNode note = MAPPER.createObjectNode();
        note.set(STARTING, MAPPER.valueToTree(planned(test)));
        append(note.put(SECONDS, test.seconds()));
      }

      @Override
      public void waiting() {
        append(MAPPER.createObjectNode().put(WAITING, true));
      }

      @Override
      public void finished(CaseResult result, int index, int total) {
        result(result);
        other.finished(result, before + index, before + total);
      }
    };
  }

  /**
   * A call of the plugin did not come back: another process is to take up the rest.
   *
   * @param impatient the labels of the lanes on which the kit has waited in vain
   */
  void renew(Set<String> impatient) {
    ObjectNode note = MAPPER.createObjectNode();
    ArrayNode lanes = note.putArray(RENEW);
    impatient.forEach(lanes::add);
    append(note);
  }

  /** The process did not get on in this test and was killed; the test is to be tried again. */
  void again(CaseResult test) {
    append(MAPPER.createObjectNode().set(AGAIN, MAPPER.valueToTree(test)));
  }

  /** A test has this result. */
  void result(CaseResult result) {
    append(MAPPER.createObjectNode().set(RESULT, MAPPER.valueToTree(result)));
  }

  /** The plugin has called {@link System#exit}: which class, in which call. */
  void exit(String reason) {
    append(MAPPER.createObjectNode().put(EXIT, reason));
  }

  /** A signal has asked the process to end: it is not the plugin's doing. */
  void asked() {
    append(MAPPER.createObjectNode().put(ASKED, true));
  }

  /** The run has come to its end, be it that it failed; what ends the process now is not it. */
  void end() {
    append(MAPPER.createObjectNode().put(END, true));
  }

  private static CaseResult planned(KitTest test) {
    return new CaseResult(
        test.rule(),
        test.name(),
        test.lane().label(),
        Outcome.SKIPPED,
        Duration.ZERO,
        null,
        "",
        List.of(),
        0);
  }

  /** Writes a line; what a process that was killed left of one stays by itself. */
  private synchronized void append(ObjectNode note) {
    try {
      Files.write(
          file,
          ("\n" + MAPPER.writeValueAsString(note) + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot note how the run gets on in " + file, e);
    }
  }
}
