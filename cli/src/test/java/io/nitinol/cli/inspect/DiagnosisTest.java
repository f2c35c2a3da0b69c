// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What files of ranks say together, where no process is needed to make them. */
class DiagnosisTest {
  @TempDir private Path directory;

  /** When the files are written, in microseconds. */
  private static final long NOW = 100_000_000;

  /** Long before, so that what began then stands still. */
  private static final long EARLY = NOW - 10_000_000;

  private FlightLog log(int rank, long written, int called, String waits, String operations)
      throws Exception {
    return log(rank, 2, written, called, "a", "null", waits, operations);
  }

  private FlightLog log(
      int rank,
      int size,
      long written,
      int called,
      String communicator,
      String failure,
      String waits,
      String operations)
      throws Exception {
    Path file = directory.resolve("flight-" + rank);
    Files.writeString(
        file,
        """
        {"format":"nitinol-flight-recorder","version":1,"communicator":"%s","rank":%d,"size":%d,
        "failure":%s,"written_us":%d,"collectives":%d,"collectives_done":%d,"waits":[%s],
        "operations":[%s]}\
        """
            .formatted(
                communicator, rank, size, failure, written, called, called, waits, operations));
    return FlightLog.read(file);
  }

  private static String wait(int rank) {
    return "{\"rank\":%d,\"transport\":\"NET/Socket\",\"for\":\"a message\"}".formatted(rank);
  }

  private static String operation(int number, String state) {
    return operation(number, state, EARLY);
  }

  private static String operation(int number, String state, long time) {
    return """
    {"collective":"barrier","call":"c","number":%d,"state":"%s","submitted_us":%d,
    "begun_us":%s}\
    """
        .formatted(number, state, time, state.equals("submitted") ? "null" : time);
  }

  private static String batch(int number, String state) {
    return """
    {"collective":"send_recv","call":"b","number":%d,"state":"%s","submitted_us":%d,
    "begun_us":%d}\
    """
        .formatted(number, state, EARLY, EARLY);
  }

  @Test
  void ranksOfTheSameCallsThatWaitForEachOtherHaveALinkThatIsSilent() throws Exception {
    String called = operation(1, "done") + "," + operation(2, "begun");
    List<String> said =
        Diagnosis.of(List.of(log(0, NOW, 2, wait(1), called), log(1, NOW, 2, wait(0), called)))
            .sentences();
    assertThat(said)
        .contains(
            "Ranks 0 and 1 have made the same calls and wait for each other: what is sent between"
                + " them over NET/Socket does not arrive, or is still under way.");
  }

  @Test
  void anOperationThatHasNotBegunCountsAsCalled() throws Exception {
    String called = operation(1, "done") + "," + operation(2, "submitted");
    Diagnosis found =
        Diagnosis.of(
            List.of(log(0, NOW, 2, wait(1), called), log(1, NOW, 1, "", operation(1, "done"))));
    assertThat(found.behind()).containsOnlyKeys(1).containsEntry(1, 1L);
    assertThat(found.sentences())
        .contains(
            "Rank 1 is behind: it has called 1 collective(s), another rank 2; it has not called"
                + " collective 2, c; rank 0 has waited for 10.0 s.")
        .noneMatch(sentence -> sentence.contains("does not arrive"));
  }

  @Test
  void ranksThatHaveDoneTheSameAreNotAccused() throws Exception {
    String called = operation(1, "done");
    assertThat(
            Diagnosis.of(List.of(log(0, NOW, 1, "", called), log(1, NOW, 1, "", called)))
                .sentences())
        .containsExactly("All 2 ranks have done the same 1 collective(s).");
  }

  @Test
  void batchesThatHavePushedTheCollectivesOutHideNoCollective() throws Exception {
    assertThat(
            Diagnosis.of(
                    List.of(
                        log(0, NOW, 1, "", batch(2000, "done")),
                        log(1, NOW, 1, "", operation(1, "done"))))
                .sentences())
        .containsExactly("All 2 ranks have done the same 1 collective(s).");
  }

  @Test
  void aRankOfARunningJobIsNotAccused() throws Exception {
    FlightLog ahead = log(0, NOW, 9000, wait(1), operation(9000, "begun", NOW - 10));
    FlightLog before =
        log(1, NOW - 400_000, 5000, wait(0), operation(5000, "begun", NOW - 400_010));
    Diagnosis found = Diagnosis.of(List.of(ahead, before));
    assertThat(found.behind()).isEmpty();
    assertThat(found.sentences())
        .contains(
            "The ranks have called 5000 to 9000 collective(s), and none has waited for a second:"
                + " the job may be running; look again.")
        .noneMatch(sentence -> sentence.contains("same calls"));
  }

  @Test
  void aFileOfAnEarlierRequestIsTakenForNoneOfThisOne() throws Exception {
    FlightLog now = log(0, NOW, 2, wait(1), operation(2, "begun"));
    FlightLog then = log(1, NOW - 3_500_000, 1, wait(0), operation(1, "begun"));
    Diagnosis found = Diagnosis.of(List.of(now, then));
    assertThat(found.old()).containsOnlyKeys(1);
    assertThat(found.behind()).isEmpty();
    assertThat(found.links()).extracting(Diagnosis.Link::from).containsExactly(0);
    assertThat(found.sentences())
        .contains(
            "Rank 1: its file is 3.5 s older than the newest: its process is stopped, dead or cut"
                + " off, or has closed the communicator.");
  }

  @Test
  void aFailureStaysWhatItWas() throws Exception {
    FlightLog failed =
        log(0, 2, NOW - 9_000_000, 2, "a", "\"gone\"", wait(1), operation(2, "begun"));
    Diagnosis found = Diagnosis.of(List.of(failed, log(1, NOW, 2, "", operation(2, "done"))));
    assertThat(found.old()).isEmpty();
    assertThat(found.sentences()).contains("Rank 0 failed: gone");
  }

  @Test
  void threeThatWaitInACircleAreNamedInItsOrder() throws Exception {
    String called = operation(1, "done") + "," + batch(1, "begun");
    List<FlightLog> logs = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      logs.add(log(rank, 4, NOW, 1, "a", "null", wait((rank + 2) % 3), called));
    }
    logs.add(log(3, 4, NOW, 1, "a", "null", wait(0), called)); // waits for one, and is in none
    Diagnosis found = Diagnosis.of(logs);
    assertThat(found.circles()).containsExactly(List.of(0, 2, 1));
    assertThat(found.sentences())
        .anyMatch(sentence ->
            sentence.startsWith(
                "Ranks 0-2 wait for each other in a circle, 0 for 2, 2 for 1, 1 for 0: "));
  }

  /** The rest of the waits' array, and the links, which follow it in a file. */
  private static String links(String... links) {
    return "],\"links\":[" + String.join(",", links);
  }

  private static String sent(int rank, int messages) {
    return "{\"rank\":%d,\"channel\":1,\"use\":\"pair\",\"sent\":%d}".formatted(rank, messages);
  }

  private static String arrived(int rank, int messages, int expected) {
    return "{\"rank\":%d,\"channel\":1,\"use\":\"pair\",\"arrived\":%d,\"expected\":%d}"
        .formatted(rank, messages, expected);
  }

  @Test
  void aLinkThatLosesMessagesIsToldOfAllInACircle() throws Exception {
    String called = operation(1, "done") + "," + operation(2, "begun");
    List<FlightLog> logs = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      int before = (rank + 2) % 3;
      int next = (rank + 1) % 3;
      String flows = links(sent(next, 5), arrived(before, rank == 2 ? 4 : 5, 5));
      logs.add(log(rank, 3, NOW, 2, "a", "null", wait(before) + flows, called));
    }
    Diagnosis found = Diagnosis.of(logs);
    assertThat(found.lost())
        .containsExactly(new LostMessages(1, 2, "NET/Socket", "channel 1 (pair)", 5, 4));
    assertThat(found.sentences())
        .contains(
            "Rank 1 has sent 5 message(s) to rank 2 over NET/Socket, channel 1 (pair), and 4 have"
                + " arrived: the link from rank 1 to rank 2 loses what it is given, or that is"
                + " still under way.")
        .noneMatch(sentence -> sentence.contains("circle"));
  }

  /** Each of two ranks sends first and has not come to its receive, which nothing is lost by. */
  @Test
  void ranksThatBothSendFirstHaveNoLinkThatLosesMessages() throws Exception {
    List<FlightLog> logs = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      String flows = links(sent(1 - rank, 8), arrived(1 - rank, 0, 0));
      logs.add(log(rank, NOW, 0, wait(1 - rank) + flows, batch(1, "begun")));
    }
    Diagnosis found = Diagnosis.of(logs);
    assertThat(found.lost()).isEmpty();
    assertThat(found.sentences())
        .contains(
            "Ranks 0 and 1 have made the same calls and wait for each other: what is sent between"
                + " them over NET/Socket does not arrive, or is still under way, or each sends"
                + " before it comes to receive.");
  }

  /** By how many messages rank 0 has sent, and how many rank 1 asked for; one has arrived. */
  @ParameterizedTest
  @CsvSource({"8,1,0", "1,8,0", "1,1,0", "2,2,1", "8,2,1", "2,8,1"})
  void onlyWhatTheReceiverAskedForIsLost(int given, int expected, int lost) throws Exception {
    String waits = operation(1, "done") + "," + operation(2, "begun");
    List<FlightLog> logs =
        List.of(
            log(0, NOW, 2, links(sent(1, given)), waits),
            log(1, NOW, 2, wait(0) + links(arrived(0, 1, expected)), waits));
    assertThat(Diagnosis.of(logs).lost()).hasSize(lost);
  }

  @Test
  void aConnectionThatLosesMessagesIsNamedOnceHoweverManyWaitForItsSender() throws Exception {
    String waits = operation(1, "done") + "," + operation(2, "begun");
    String two = wait(0) + "," + wait(0) + links(arrived(0, 1, 2));
    Diagnosis found =
        Diagnosis.of(List.of(log(0, NOW, 2, links(sent(1, 2)), waits), log(1, NOW, 2, two, waits)));
    assertThat(found.lost())
        .containsExactly(new LostMessages(0, 1, "NET/Socket", "channel 1 (pair)", 2, 1));
    assertThat(found.sentences()).filteredOn(each -> each.contains("loses what")).hasSize(1);
  }

  /** Rank 0 is done with the call, as the root of a broadcast may be, or in it for a moment. */
  @ParameterizedTest
  @CsvSource({"done,0,1", "begun,0,0", "begun,2000000,1"})
  void aSenderThatHasJustBegunMayHaveSentSince(String state, long micros, int lost)
      throws Exception {
    String own = operation(1, "done") + "," + operation(2, state, NOW - micros);
    String waits = operation(1, "done") + "," + operation(2, "begun");
    Diagnosis found =
        Diagnosis.of(
            List.of(
                log(0, NOW, 2, links(sent(1, 2)), own),
                log(1, NOW, 2, wait(0) + links(arrived(0, 1, 2)), waits)));
    assertThat(found.lost()).hasSize(lost);
  }

  @Test
  void ranksAlikeAreOneSentenceAlsoIfTheyAreMany() throws Exception {
    int size = 1 << 16;
    FlightLog first = log(0, size, NOW, 2, "a", "null", wait(1), operation(2, "begun"));
    FlightLog late = log(1, size, NOW, 1, "a", "null", "", operation(1, "done"));
    FlightLog alike = log(2, size, NOW, 1, "a", "null", "", operation(1, "done"));
    List<String> said = Diagnosis.of(List.of(first, late, alike)).sentences();
    assertThat(said).contains("Ranks 3-65535: their files are missing.");
    assertThat(said)
        .anyMatch(sentence ->
            sentence.startsWith("Ranks 1, 2 are behind: they have called 1 collective(s)"));
  }

  @Test
  void whatAFileSaysCannotSteerATerminal() throws Exception {
    FlightLog evil = log(0, 2, NOW, 1, "a", "\"\\u001b[2J\\u202e\"", "", operation(1, "done"));
    assertThat(evil.failure()).isEqualTo("?[2J?");
    assertThatThrownBy(() -> log(0, 2, NOW, 1, "\\u001b[2J", "null", "", ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected 1 to 16 hexadecimal digits")
        .hasMessageNotContaining("\u001b");
  }
}
