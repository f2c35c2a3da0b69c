// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.LookListener;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.core.live.LiveRequest;
import io.nitinol.core.live.LiveServer;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of this process that {@code nitinol top} may ask about. The process listens from the
 * first on until the last is removed.
 */
@AnyThread
final class LiveRanks {
  private static final int MOST_WAITING = 64;
  private static final long REST_SECONDS = 5;

  /**
   * Makes the answers for other hosts, one after the other, and ends when none was wanted for a
   * while: neither the threads of the bootstrap nor those of operations have a part in it.
   */
  private static final ThreadPoolExecutor ANSWERING = answering();

  private static final List<LiveMember> MEMBERS = new CopyOnWriteArrayList<>();

  private static @Nullable LiveServer server;
  private static boolean isTold;

  private LiveRanks() {}

  private static ThreadPoolExecutor answering() {
    ThreadPoolExecutor made =
        new ThreadPoolExecutor(
            1,
            1,
            REST_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            LiveRanks::thread);
    made.allowCoreThreadTimeOut(true);
    return made;
  }

  /** As the server's, it may outlive the communicator for which it is made. */
  private static Thread thread(Runnable task) {
    Thread made =
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("nitinol-top-job")
            .unstarted(task);
    made.setContextClassLoader(LiveRanks.class.getClassLoader());
    return made;
  }

  /** Adds a rank, unless {@code NITINOL_TOP} is 0. A process that cannot listen goes on without. */
  static synchronized void add(
      RankReport rank, Bootstrap bootstrap, Settings settings, DebugLogger logger) {
    if (!settings.get(CoreVariables.TOP)) {
      return;
    }
    MEMBERS.add(new LiveMember(rank, bootstrap));
    bootstrap.onLook(reply -> asked(rank.communicator(), reply));
    if (server != null && server.isOpen()) {
      return;
    }
    try {
      server =
          LiveServer.open(
              LiveDirectory.ofUser(), HostIdentity.process(), LiveRanks::answer, logger);
    } catch (IOException | RuntimeException e) {
      if (!isTold) {
        isTold = true;
        logger.info(
            LogSubsystem.INIT,
            "LiveRanks",
            ErrorText.of("nitinol top cannot see this process: %s", ErrorText.reason(e)));
      }
    }
  }

  /** Removes a rank, if it was added. */
  static synchronized void remove(RankReport rank) {
    MEMBERS.stream()
        .filter(member -> member.report().equals(rank))
        .forEach(member -> member.bootstrap().onLook(null));
    MEMBERS.removeIf(member -> member.report().equals(rank));
    LiveServer open = server;
    if (MEMBERS.isEmpty() && open != null) {
      server = null;
      open.close();
    }
  }

  /** Answers one that has asked a rank of a communicator; on the bootstrap's thread. */
  private static void asked(long communicator, LookListener.Reply reply) {
    try {
      ANSWERING.execute(() -> answer(communicator, reply));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // or no thread is to be had
      reply.refuse("is asked by too many");
    }
  }

  private static void answer(long communicator, LookListener.Reply reply) {
    try {
      Predicate<LiveMember> ofIt = member -> member.report().communicator() == communicator;
      String state = reply.isAboutMembers() ? members(ofIt, false) : state(ofIt, RankReport::live);
      reply.answer(state.getBytes(StandardCharsets.UTF_8));
    } catch (RuntimeException | OutOfMemoryError e) { // this is of less worth than the job
      reply.refuse("cannot answer: " + e);
    }
  }

  /** Takes no lock: a rank that is just being removed may be told of or not. */
  private static String answer(LiveRequest request) {
    return switch (request) {
      case STATE -> state(member -> true, RankReport::live);
      case HISTORY -> state(member -> true, RankReport::history);
      case JOB -> members(member -> true, true);
    };
  }

  private static StringBuilder begin() {
    StringBuilder text = new StringBuilder();
    text.append("{\"format\":\"nitinol-top\",\"version\":1,\"pid\":");
    return text.append(ProcessHandle.current().pid());
  }

  private static String state(Predicate<LiveMember> of, Function<RankReport, String> how) {
    StringBuilder text = begin().append(",\"ranks\":[");
    String comma = "";
    for (LiveMember member : MEMBERS) {
      String told = of.test(member) ? told(member.report(), how) : null;
      if (told != null) {
        text.append(comma).append(told);
        comma = ",";
      }
    }
    return text.append("]}\n").toString();
  }

  /**
   * Tells of each communicator once, however many of its ranks are in this process.
   *
   * @param withKeys never over a network
   */
  private static String members(Predicate<LiveMember> of, boolean withKeys) {
    StringBuilder text = begin().append(",\"communicators\":[");
    Set<Long> told = new HashSet<>();
    for (LiveMember member : MEMBERS) {
      if (of.test(member) && told.add(member.report().communicator())) {
        text.append(told.size() > 1 ? "," : "");
        member.append(text, withKeys);
      }
    }
    return text.append("]}\n").toString();
  }

  private static @Nullable String told(RankReport rank, Function<RankReport, String> how) {
    try {
      return how.apply(rank);
    } catch (RuntimeException e) {
      return null; // it is being closed, and has changed while it was looked at
    }
  }
}
