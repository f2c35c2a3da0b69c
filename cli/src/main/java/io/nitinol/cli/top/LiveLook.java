// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.inspect.JsonFields;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.core.live.LiveProcess;
import io.nitinol.core.live.LiveRequest;
import io.nitinol.core.shm.ProcessName;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The answers of all processes of this user at one time.
 *
 * @param nanos when, by {@link System#nanoTime}
 * @param processes how many processes have answered
 * @param ranks the ranks that these told of
 * @param silent the processes that have not answered, by the number that their ranks know
 * @param problems a sentence for each directory and answer that could not be used
 */
record LiveLook(
    long nanos,
    int processes,
    List<LiveRank> ranks,
    SortedMap<String, Silent> silent,
    List<String> problems) {
  /** How long all processes together get. A process that works answers within milliseconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String FORMAT = "nitinol-top";

  /**
   * A process that has not answered.
   *
   * @param why to follow its name
   */
  record Silent(long pid, String why) {
    @Override
    public String toString() {
      return "process " + pid + " " + why;
    }
  }

  /**
   * Asks all processes, side by side.
   *
   * @throws CommandFailure where no directory can be looked into
   */
  static LiveLook take(LiveDirectory directory) throws InterruptedException {
    List<String> problems = new ArrayList<>();
    List<LiveRank> ranks = new ArrayList<>();
    SortedMap<String, Silent> silent = new TreeMap<>();
    List<LiveProcess> asked = new ArrayList<>();
    ProcessName self = ProcessName.self();
    for (LiveProcess process : processes(directory, problems)) {
      if (self != null && process.name().isStopped(self)) {
        silent(silent, process, stopped(process)); // it would only be waited for
      } else {
        asked.add(process);
      }
    }
    int answered = 0;
    long now = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> answers =
          threads.invokeAll(
              asked.stream().map(LiveLook::asking).toList(),
              PATIENCE.toMillis(),
              TimeUnit.MILLISECONDS);
      for (int i = 0; i < asked.size(); i++) {
        LiveProcess process = asked.get(i);
        try {
          ranks.addAll(parse(answers.get(i).get()));
          answered++;
        } catch (CancellationException e) {
          boolean stopped = self != null && process.name().isStopped(self);
          silent(
              silent,
              process,
              stopped
                  ? stopped(process)
                  : ErrorText.of("has not answered within %d s", PATIENCE.toSeconds()));
        } catch (ExecutionException e) {
          Throwable cause = e.getCause() == null ? e : e.getCause();
          if (!(cause instanceof ConnectException)) { // which has ended, or just closes
            silent(silent, process, "cannot be asked: " + ErrorText.reason(cause));
          }
        } catch (IOException e) {
          problems.add(ErrorText.of("process %d: %s", process.name().pid(), ErrorText.reason(e)));
        }
      }
    }
    return new LiveLook(now, answered, ranks, silent, problems);
  }

  private static List<LiveProcess> processes(LiveDirectory directory, List<String> problems) {
    try {
      return directory.processes(problems::add);
    } catch (IOException e) {
      throw CommandFailure.usage(ErrorText.reason(e));
    }
  }

  private static Callable<byte[]> asking(LiveProcess process) {
    return () -> process.ask(LiveRequest.STATE);
  }

  private static void silent(SortedMap<String, Silent> all, LiveProcess process, String why) {
    all.put(Long.toHexString(process.number()), new Silent(process.name().pid(), why));
  }

  private static String stopped(LiveProcess process) {
    return "is stopped (SIGSTOP or a debugger); kill -CONT "
        + process.name().pid()
        + " lets it go on";
  }

  private static List<LiveRank> parse(byte[] answer) throws IOException {
    JsonNode root;
    try {
      root = MAPPER.readTree(answer);
    } catch (JacksonException e) {
      throw new IOException(
          "its answer is no whole JSON document: " + JsonFields.printable(e.getOriginalMessage()),
          e);
    }
    if (!FORMAT.equals(root.path("format").asString(""))) {
      throw new IOException("its answer is none to nitinol top");
    }
    if (root.path("error").isString()) {
      throw new IOException(JsonFields.text(root, "error"));
    }
    List<LiveRank> ranks = new ArrayList<>();
    for (JsonNode rank : JsonFields.array(root, "ranks")) {
      ranks.add(LiveRank.of(rank));
    }
    return ranks;
  }

  /** Returns why a rank that others wait for has not answered; null where its process did. */
  @Nullable Silent silent(@Nullable String process) {
    return process == null ? null : silent.get(process);
  }
}
