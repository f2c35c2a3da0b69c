// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.perf.runs.PageFile;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The files that {@code nitinol perf} writes beside its table, if it is asked to. */
final class PerfFiles {
  private static final String JSON = "--json";
  private static final String CSV = "--csv";
  private static final String PAGE = "--report";
  private static final String TIMES = "--histogram";

  @Option(
      names = {"-J", JSON, "--output_file"},
      paramLabel = "FILE",
      description = "Write the figures, the versions and the environment to this file as well.")
  private @Nullable Path json;

  @Option(
      names = CSV,
      paramLabel = "FILE",
      description = "Write the table as comma-separated values as well, with all digits.")
  private @Nullable Path csv;

  @Option(
      names = PAGE,
      paramLabel = "FILE",
      description =
          "Write a page of HTML with charts of the figures, the machine, the variables and the"
              + " command as well. nitinol compare makes one of several runs.")
  private @Nullable Path page;

  @Option(
      names = TIMES,
      paramLabel = "FILE",
      description =
          "With --percentiles and --interval: write the times of single operations in HdrHistogram's"
              + " log format as well, for its tools; a line for each row or interval.")
  private @Nullable Path times;

  /** Returns a text, once it is known that it is wanted. */
  @FunctionalInterface
  interface Text {
    String text() throws IOException;
  }

  /** Made by picocli; nothing is written. */
  PerfFiles() {}

  /** Writes JSON only, if to a file. */
  PerfFiles(@Nullable Path json) {
    this(json, null, null);
  }

  /** Writes those that are not null. */
  PerfFiles(@Nullable Path json, @Nullable Path csv, @Nullable Path page) {
    this.json = json;
    this.csv = csv;
    this.page = page;
  }

  boolean any() {
    return json != null || csv != null || page != null || times != null;
  }

  /** Returns whether the times of single operations are written. */
  boolean hasHistogram() {
    return times != null;
  }

  /**
   * Makes sure that the files can be written, before the measurement takes its time.
   *
   * @param cycles how often the measurement goes through all sizes; 0 for without an end
   * @throws ParameterException naming the option and the file
   */
  void require(CommandLine command, int cycles) {
    require(command, cycles, JSON, json);
    require(command, cycles, CSV, csv);
    require(command, cycles, PAGE, page);
    require(command, cycles, TIMES, times);
    requireTwo(command, JSON, json, CSV, csv);
    requireTwo(command, JSON, json, PAGE, page);
    requireTwo(command, CSV, csv, PAGE, page);
    requireTwo(command, JSON, json, TIMES, times);
    requireTwo(command, CSV, csv, TIMES, times);
    requireTwo(command, PAGE, page, TIMES, times);
  }

  private static void requireTwo(
      CommandLine command,
      String option,
      @Nullable Path file,
      String otherOption,
      @Nullable Path other) {
    PerfOptions.require(
        command,
        file == null || other == null || !PageFile.isSame(file, other),
        ErrorText.of(
            "%s %s and %s %s are one file; expected two", option, file, otherOption, other));
  }

  private static void require(CommandLine command, int cycles, String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    try {
      if (option.equals(PAGE)) {
        PageFile.require(file);
      } else {
        OutputFile.requireWritable(file);
      }
    } catch (IOException e) {
      throw new ParameterException(
          command, ErrorText.of("%s %s: cannot be written: %s", option, file, e.getMessage()), e);
    }
    PerfOptions.require(
        command, cycles > 0, ErrorText.of("%s needs an end: it does not go with -N 0", option));
  }

  /**
   * Writes all files that are asked for; one that cannot be written leaves the others alone.
   *
   * @throws CommandFailure that names each file that could not be written
   */
  void write(Text jsonText, Text csvText, Text pageText, Text timesText) {
    List<String> failures = new ArrayList<>();
    write(failures, JSON, json, jsonText);
    write(failures, CSV, csv, csvText);
    write(failures, PAGE, page, pageText);
    write(failures, TIMES, times, timesText);
    if (!failures.isEmpty()) {
      throw CommandFailure.usage(String.join("; ", failures));
    }
  }

  private static void write(List<String> failures, String option, @Nullable Path file, Text text) {
    if (file == null) {
      return;
    }
    try {
      OutputFile.write(file, text.text());
    } catch (IOException e) {
      failures.add(ErrorText.of("%s %s: cannot write it: %s", option, file, e.getMessage()));
    }
  }
}
