// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.tck.report.HtmlReport;
import io.nitinol.tck.report.JsonReport;
import io.nitinol.tck.report.JunitXmlReport;
import io.nitinol.tck.result.KitReport;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The files that a run leaves behind, if it is asked to. */
final class ReportFiles {
  private static final String JSON = "--json";
  private static final String JUNIT = "--junit";
  private static final String HTML = "--html";

  @Option(names = JSON, paramLabel = "FILE", description = "Write all results as JSON.")
  private @Nullable Path json;

  @Option(names = JUNIT, paramLabel = "FILE", description = "Write them as JUnit's XML, for a CI.")
  private @Nullable Path junit;

  @Option(
      names = HTML,
      paramLabel = "FILE",
      description = "Write a page with each broken rule's text and the calls before it broke.")
  private @Nullable Path html;

  /** Writes the files in the middle of a run. What cannot be written now may be later. */
  synchronized void writeSoFar(KitReport report, PrintWriter err) {
    try {
      write(report);
    } catch (CommandFailure e) {
      err.println("nitinol tck: " + e.getMessage());
      err.flush();
    }
  }

  /** Writes one kind of report. */
  @FunctionalInterface
  private interface Writer {
    void write(KitReport report, Path file) throws IOException;
  }

  /**
   * Makes sure that the files can be written, before the tests take their time.
   *
   * @throws ParameterException naming the option and the file
   */
  void requireWritable(CommandLine command) {
    requireWritable(command, JSON, json);
    requireWritable(command, JUNIT, junit);
    requireWritable(command, HTML, html);
  }

  /**
   * Writes the files.
   *
   * @throws CommandFailure when one cannot be written after all
   */
  synchronized void write(KitReport report) {
    write(report, json, JSON, JsonReport::write);
    write(report, junit, JUNIT, JunitXmlReport::write);
    write(report, html, HTML, HtmlReport::write);
  }

  private static void write(KitReport report, @Nullable Path file, String option, Writer writer) {
    if (file == null) {
      return;
    }
    try {
      writer.write(report, file);
    } catch (IOException e) {
      throw CommandFailure.usage(option + " " + file + ": cannot be written: " + e.getMessage());
    }
  }

  private static void requireWritable(CommandLine command, String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    try {
      OutputFile.requireWritable(file);
    } catch (IOException e) {
      throw new ParameterException(
          command, option + " " + file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
