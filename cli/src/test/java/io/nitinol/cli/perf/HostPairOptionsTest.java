// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HostPairOptionsTest {
  private final PerfCommand command = new PerfCommand();
  private final CommandLine parser = new CommandLine(command);

  private void parse(String words) {
    parser.parseArgs(words.split(" +", -1));
  }

  @ParameterizedTest
  @CsvSource({
    "node1, node1:29512",
    "node1:5000, node1:5000",
    "192.0.2.1, 192.0.2.1:29512",
    "192.0.2.1:5000, 192.0.2.1:5000",
    "2001:db8::1, [2001:db8::1]:29512",
    "[2001:db8::1], [2001:db8::1]:29512",
    "[2001:db8::1]:5000, [2001:db8::1]:5000",
    "fe80::1%eth0, [fe80::1%eth0]:29512"
  })
  void thePortMayBeLeftOut(String given, String place) {
    parse("sendrecv --connect " + given);
    assertThat(command.options().hosts().place()).isEqualTo(place);
  }

  /** The other host reads what it gets as this one has read what was typed. */
  @Test
  void whatToMeasureIsCarriedAndNothingElse() {
    parse(
        "all_reduce -b8 -e 1K --stepfactor=4 -t half -o max -z --percentiles -c 2 -a 3 -J x.json"
            + " --csv x.csv --report x.html --connect node1 --min-bandwidth 2");
    List<String> carried = command.options().carried(parser);
    assertThat(carried)
        .containsExactlyInAnyOrder(
            "--minbytes=8",
            "--maxbytes=1K",
            "--stepfactor=4",
            "--datatype=half",
            "--op=max",
            "--blocking=1",
            "--percentiles",
            "--check=2",
            "--average=3",
            "--min-bandwidth=2");
    PerfCommand other = new PerfCommand();
    CommandLine there = new CommandLine(other);
    carried.addFirst("all_reduce");
    there.parseArgs(carried.toArray(String[]::new));
    assertThat(HostPairOptions.notCarried(there.getParseResult())).isNull();
    PerfPlan expected = command.options().plan(parser, 2);
    PerfPlan found = other.options().plan(there, 2);
    assertThat(found.timing()).isEqualTo(expected.timing());
    assertThat(found.range()).isEqualTo(expected.range());
    assertThat(found.types()).isEqualTo(expected.types());
    assertThat(found.ops()).isEqualTo(expected.ops());
    assertThat(found.reporting()).isEqualTo(expected.reporting());
    assertThat(found.checks()).isEqualTo(expected.checks());
    assertThat(found.mode()).isEqualTo(expected.mode());
  }

  /** A client with the secret may be another program: it names no file of the server's host. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-J",
        "--csv",
        "--report",
        "--matrix",
        "-n",
        "-g",
        "--connect",
        "--server",
        "--threads"
      })
  void aServerDoesNotTakeEveryOption(String option) {
    parse("alltoallv " + option + (option.equals("--threads") ? "" : " 1"));
    assertThat(HostPairOptions.notCarried(parser.getParseResult())).isEqualTo(option);
  }
}
