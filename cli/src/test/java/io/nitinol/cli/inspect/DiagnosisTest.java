// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files of ranks say together, where no process is needed to make them. */
class DiagnosisTest {
  @TempDir private Path directory;

  private FlightLog log(int rank, String waits, String operations) throws Exception {
    Path file = directory.resolve("flight-" + rank);
    Files.writeString(
        file,
        """
        {"format":"nitinol-flight-recorder","version":1,"communicator":"a","rank":%d,"size":2,
        "failure":null,"written_us":1,"waits":[%s],"operations":[%s]}\
        """
            .formatted(rank, waits, operations));
    return FlightLog.read(file);
  }

  private static String wait(int rank) {
    return "{\"rank\":%d,\"transport\":\"NET/Socket\",\"for\":\"a message\"}".formatted(rank);
  }

  private static String operation(int number, String state) {
    return "{\"collective\":\"barrier\",\"call\":\"c\",\"number\":%d,\"state\":\"%s\"}"
        .formatted(number, state);
  }

  @Test
  void ranksOfTheSameCallsThatWaitForEachOtherHaveALinkThatIsSilent() throws Exception {
    String called = operation(1, "done") + "," + operation(2, "begun");
    List<String> said =
        Diagnosis.of(List.of(log(0, wait(1), called), log(1, wait(0), called))).sentences();
    assertThat(said)
        .contains(
            "Ranks 0 and 1 have made the same calls and wait for each other: what is sent between"
                + " them over NET/Socket does not arrive, or is still under way.");
  }

  @Test
  void anOperationThatHasNotBegunCountsAsCalled() throws Exception {
    String called = operation(1, "done") + "," + operation(0, "submitted");
    Diagnosis found = Diagnosis.of(List.of(log(0, "", called), log(1, "", operation(1, "done"))));
    assertThat(found.behind()).containsOnlyKeys(1).containsEntry(1, 1L);
    assertThat(found.sentences()).noneMatch(sentence -> sentence.contains("does not arrive"));
  }

  @Test
  void ranksThatHaveDoneTheSameAreNotAccused() throws Exception {
    String called = operation(1, "done");
    assertThat(Diagnosis.of(List.of(log(0, "", called), log(1, "", called))).sentences())
        .containsExactly("All 2 ranks have done the same 1 collective(s).");
  }
}
