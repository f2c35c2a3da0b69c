// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.FlightLog;
import io.nitinol.cli.inspect.JsonFields;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.core.live.LiveProcess;
import io.nitinol.core.live.LiveRequest;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Files as those of flight recorders, of the ranks of this host, made because a user asks. */
final class SavedHistory {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private SavedHistory() {}

  /**
   * Asks all processes of this user and host, side by side, and writes a file for each rank.
   *
   * @param into where the files go; it is made
   * @return the sentences to print: how many files there are, and what could not be had
   * @throws IOException with the reason, where a file cannot be written
   */
  static List<String> save(LiveDirectory directory, Path into)
      throws IOException, InterruptedException {
    List<String> sentences = new ArrayList<>();
    List<LiveProcess> processes = directory.processes(sentences::add);
    Files.createDirectories(into);
    int files = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<byte[]>> questions = new ArrayList<>();
      processes.forEach(process -> questions.add(() -> process.ask(LiveRequest.HISTORY)));
      List<Future<byte[]>> answers =
          threads.invokeAll(questions, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      for (int i = 0; i < processes.size(); i++) {
        long pid = processes.get(i).name().pid();
        List<Rank> ranks = List.of();
        try {
          ranks = ranks(answers.get(i).get());
        } catch (CancellationException e) {
          sentences.add(
              ErrorText.of(
                  "process %d has not answered within %d s: it is stopped or at its end",
                  pid, PATIENCE.toSeconds()));
        } catch (ExecutionException | IOException e) {
          Throwable why = Objects.requireNonNullElse(e.getCause(), e);
          sentences.add(ErrorText.of("process %d: %s", pid, ErrorText.reason(why)));
        }
        for (Rank rank : ranks) {
          OutputFile.write(into.resolve(rank.file()), rank.text());
          files++;
        }
      }
    }
    sentences.add(ErrorText.of("%d file(s) for nitinol diagnose are in %s", files, into));
    return sentences;
  }

  /** What a rank has answered. */
  private record Rank(String file, String text) {}

  private static List<Rank> ranks(byte[] answer) throws IOException {
    List<Rank> ranks = new ArrayList<>();
    for (JsonNode node : JsonFields.array(LiveAnswer.document(answer), "ranks")) {
      FlightLog log = FlightLog.of(node); // whose members are looked at before they name a file
      ranks.add(
          new Rank(ErrorText.of("rank-%d.%s.json", log.rank(), log.communicator()), node + "\n"));
    }
    return ranks;
  }
}
