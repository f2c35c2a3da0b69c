// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * What {@link NoteWriter} has noted of a run so far, by one process after another.
 *
 * @param plan the run with its tests, all as skipped; null as long as the plugin is being loaded
 * @param results the results by their tests, oldest first
 * @param current the test that the newest process has begun and not ended; null between tests
 * @param seconds how long {@code current} may take
 * @param exit how the plugin ended the newest process by {@link System#exit}, or null
 * @param asked whether a signal has asked the newest process to end
 * @param ended whether the run has come to its end in the newest process
 * @param renewals how many processes left the rest to another, since a call had not come back
 * @param renewed whether the newest one did
 * @param impatient the labels of the lanes on which the kit has waited in vain
 * @param again the keys of tests in which a process did not get on and was killed
 */
record RunNotes(
    @Nullable KitReport plan,
    Map<String, CaseResult> results,
    @Nullable CaseResult current,
    int seconds,
    @Nullable String exit,
    boolean asked,
    boolean ended,
    int renewals,
    boolean renewed,
    Set<String> impatient,
    Set<String> again) {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads the notes for a process that takes the run up.
   *
   * @throws CommandFailure when the file cannot be read
   */
  static RunNotes ofRun(Path file) {
    try {
      return read(file);
    } catch (IOException e) {
      throw new CommandFailure(ExitStatus.INTERNAL, TckOptions.NOTES + " " + file + ": " + e);
    }
  }

  /**
   * Reads the notes.
   *
   * @throws IOException when the file cannot be read
   */
  static RunNotes read(Path file) throws IOException {
    @Nullable KitReport plan = null;
    Map<String, CaseResult> results = new LinkedHashMap<>();
    @Nullable CaseResult current = null;
    int seconds = 0;
    @Nullable String exit = null;
    boolean asked = false;
    boolean ended = false;
    int renewals = 0;
    boolean renewed = false;
    Set<String> impatient = new TreeSet<>();
    Set<String> again = new TreeSet<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      JsonNode note = parse(line);
      if (note == null) {
        continue;
      }
      if (note.has(NoteWriter.PROCESS)) {
        current = null;
        exit = null;
        asked = false;
        ended = false;
        renewed = false;
      } else if (note.has(NoteWriter.RUN)) {
        plan = MAPPER.treeToValue(note.get(NoteWriter.RUN), KitReport.class);
      } else if (note.has(NoteWriter.STARTING)) {
        current = MAPPER.treeToValue(note.get(NoteWriter.STARTING), CaseResult.class);
        seconds = note.get(NoteWriter.SECONDS).intValue();
      } else if (note.has(NoteWriter.RESULT)) {
        if (asked) {
          continue; // what a run finds that is being ended says nothing
        }
        CaseResult result = MAPPER.treeToValue(note.get(NoteWriter.RESULT), CaseResult.class);
        results.put(key(result), result);
        current = null;
      } else if (note.has(NoteWriter.RENEW)) {
        renewals++;
        renewed = true;
        note.get(NoteWriter.RENEW).forEach(lane -> impatient.add(lane.stringValue()));
      } else if (note.has(NoteWriter.AGAIN)) {
        again.add(key(MAPPER.treeToValue(note.get(NoteWriter.AGAIN), CaseResult.class)));
        current = null;
      } else if (note.has(NoteWriter.EXIT)) {
        exit = note.get(NoteWriter.EXIT).stringValue();
      } else if (note.has(NoteWriter.ASKED)) {
        asked = true;
      } else if (note.has(NoteWriter.END)) {
        ended = true;
      }
    }
    return new RunNotes(
        plan, results, current, seconds, exit, asked, ended, renewals, renewed, impatient, again);
  }

  /** Returns null for the beginning of a line, whose writer was killed, and for an empty line. */
  private static @Nullable JsonNode parse(String line) {
    if (line.isEmpty()) {
      return null;
    }
    try {
      return MAPPER.readTree(line);
    } catch (JacksonException e) {
      return null;
    }
  }

  private static String key(CaseResult test) {
    return test.rule() + " " + test.test() + " " + test.lane();
  }

  /** Returns whether a process was killed in this test before. */
  boolean wasKilledIn(CaseResult test) {
    return again.contains(key(test));
  }

  /** Returns the results, oldest first. */
  List<CaseResult> done() {
    return List.copyOf(results.values());
  }

  /** Returns the tests of a plan that have no result. */
  List<CaseResult> left(KitReport of) {
    return of.cases().stream().filter(test -> !results.containsKey(key(test))).toList();
  }

  /** Returns the report of a plan: its tests with the results that they have, in its order. */
  KitReport report(KitReport of, Duration time) {
    List<CaseResult> cases = new ArrayList<>();
    for (CaseResult test : of.cases()) {
      CaseResult result = results.get(key(test));
      if (result != null) {
        cases.add(result);
      }
    }
    return new KitReport(
        of.plugin(),
        of.lanes(),
        of.mode(),
        of.seed(),
        time,
        cases,
        of.argument(),
        of.flags(),
        of.cases().size(),
        of.library());
  }
}
