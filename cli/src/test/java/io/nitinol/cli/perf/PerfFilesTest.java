// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PerfFilesTest {
  @TempDir private Path directory;

  private static PerfRow row(Measurement outOfPlace, @Nullable Measurement inPlace) {
    PerfJob job = new PerfJob(DataType.FLOAT32, PerfOperator.SUM, PerfJob.NO_ROOT, 4, 256);
    return new PerfRow(1024, job, 1.5, outOfPlace, inPlace);
  }

  @Test
  void theValuesAreThoseOfTheTableWithAllDigits() {
    List<String> lines =
        PerfCsv.text(
                Plans.REPORTING,
                List.of(
                    row(
                        new Measurement(1e-5 / 3, 2e-6, 0, 0, 7),
                        new Measurement(2e-6, 0, 0, 0, Measurement.UNCHECKED)),
                    row(new Measurement(4e-6, 0, 0, 0, 0), null)))
            .lines()
            .toList();
    String[] titles = lines.get(0).split(",", -1);
    String[] first = lines.get(1).split(",", -1);
    String[] second = lines.get(2).split(",", -1);
    assertThat(lines).hasSize(3);
    assertThat(first).hasSameSizeAs(titles);
    assertThat(second).hasSameSizeAs(titles);
    assertThat(value(titles, first, "size_bytes")).isEqualTo("1024");
    assertThat(value(titles, first, "count")).isEqualTo("256");
    assertThat(value(titles, first, "type")).isEqualTo("float");
    assertThat(value(titles, first, "redop")).isEqualTo("sum");
    assertThat(value(titles, first, "root")).isEqualTo("-1");
    assertThat(Double.parseDouble(value(titles, first, "out_of_place_time_us")))
        .isEqualTo(1e-5 / 3 * 1e6);
    assertThat(Double.parseDouble(value(titles, first, "out_of_place_busbw_gb_per_s")))
        .isEqualTo(1024 / (1e-5 / 3) / 1e9 * 1.5);
    assertThat(value(titles, first, "out_of_place_wrong")).isEqualTo("7");
    assertThat(Double.parseDouble(value(titles, first, "in_place_algbw_gb_per_s")))
        .isEqualTo(1024 / 2e-6 / 1e9);
    assertThat(value(titles, first, "in_place_wrong")).isEmpty();
    assertThat(value(titles, second, "in_place_time_us")).isEmpty();
  }

  /** With {@code -C} the table has the time until an operation was started. */
  @Test
  void theTimeIsThatOfTheTable() {
    PerfPlan.Reporting starting = new PerfPlan.Reporting(PerfPlan.Average.MEAN, true, false, 0);
    String text = PerfCsv.text(starting, List.of(row(new Measurement(9, 2, 0, 0, 0), null)));
    assertThat(text).contains("\n1024,256,float,sum,-1,2000000.0,");
    assertThat(text.lines().findFirst().orElse(""))
        .contains(",out_of_place_cpu_time_us,", ",in_place_cpu_time_us,")
        .doesNotContain("place_time_us");
  }

  /** A measurement of hours is not lost because one of its files is. */
  @Test
  void aFileThatCannotBeWrittenLeavesTheOthersAlone() throws Exception {
    Path csv = directory.resolve("run.csv");
    Path lost = directory.resolve("none/run.json");
    Path page = directory.resolve("none/page.html");
    PerfFiles files = new PerfFiles(lost, csv, page);
    assertThatThrownBy(() -> files.write(() -> "json", () -> "csv", () -> "page", () -> "times"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("--json " + lost + ": cannot write it: ")
        .hasMessageContaining("; --report " + page + ": cannot write it: ");
    assertThat(csv).hasContent("csv");
  }

  @Test
  void aPageReplacesOnlyAPage() throws Exception {
    Path json = Files.writeString(directory.resolve("run.json"), "{}");
    Path page = Files.writeString(directory.resolve("page.html"), "<!DOCTYPE html>\n<html>");
    CommandLine command = new CommandLine(new PerfCommand());
    new PerfFiles(json, null, page).require(command, 1);
    assertThatThrownBy(() -> new PerfFiles(null, null, json).require(command, 1))
        .hasMessage(
            "--report %s: cannot be written: it does not begin with <!DOCTYPE html>; expected a"
                + " page, an empty file or no file",
            json);
  }

  @Test
  void twoOptionsNameTwoFiles() {
    Path file = directory.resolve("run");
    Path same = directory.resolve("./run");
    CommandLine command = new CommandLine(new PerfCommand());
    assertThatThrownBy(() -> new PerfFiles(file, null, same).require(command, 1))
        .hasMessage("--json %s and --report %s are one file; expected two", file, same);
    assertThatThrownBy(() -> new PerfFiles(null, same, file).require(command, 1))
        .hasMessage("--csv %s and --report %s are one file; expected two", same, file);
  }

  private static String value(String[] titles, String[] row, String title) {
    return row[List.of(titles).indexOf(title)];
  }
}
