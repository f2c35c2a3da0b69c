// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLink;
import io.nitinol.toolkit.control.ControlListener;
import io.nitinol.toolkit.control.ControlLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Introduces the ranks of one communicator to each other; mirrors NCCL's {@code bootstrapRoot}. It
 * waits until every rank has reported its address, sends each the address of its successor in the
 * ring, and ends. When a rank does not come, comes twice, leaves, or states another number of
 * ranks, the root tells all ranks that came.
 */
final class Root implements ControlLink.Events {
  private static final int MAX_RANKS = 1 << 20;
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** When the log first names the missing ranks; each later pause is twice as long. */
  private static final Duration NEWS = Duration.ofSeconds(10);

  /** How many times the bootstrap's time limit a root waits for the first rank. */
  static final int UNUSED_TIMEOUTS = 10;

  /** A rank that has come, and the frame with its address. */
  private record Joined(ControlLink link, Frame frame) {}

  private final ControlLoop loop;
  private final ControlListener listener;
  private final int timeoutSeconds;
  private final DebugLogger log;

  /** A process that has ended, among how many processes. */
  private record Ended(int processes, String how) {}

  private final Map<Integer, Ended> ended = new HashMap<>();
  private @Nullable Joined[] joined = new Joined[0];
  private int count;
  private long begun;
  private long newsNanos;
  private boolean over;
  private @Nullable Frame refusal;

  private Root(RankLoop connections, int timeoutSeconds, Duration news, DebugLogger log) {
    this.loop = connections.loop;
    this.listener = connections.listener;
    this.timeoutSeconds = timeoutSeconds;
    this.newsNanos = news.toNanos();
    this.log = log;
  }

  /**
   * Starts a root that listens at the first address of {@code at} that is available; the port may
   * be 0. It ends by itself: when it has introduced the ranks, when the time limit after the first
   * rank is over, or when no rank has come for {@link #UNUSED_TIMEOUTS} times the bootstrap's time
   * limit.
   *
   * @param at at least one address
   * @throws BootstrapException when nothing can listen at any of them
   */
  static Root start(
      List<InetSocketAddress> at, JobSecret secret, Settings settings, DebugLogger log) {
    int timeout = settings.get(CoreVariables.BOOTSTRAP_TIMEOUT);
    Duration unused = Duration.ofSeconds((long) UNUSED_TIMEOUTS * timeout);
    return start(at, secret, timeout, unused, NEWS, log);
  }

  /**
   * The same with all times: for all to come after the first, for the first, and until the missing
   * ranks are first reported.
   */
  static Root start(
      List<InetSocketAddress> at,
      JobSecret secret,
      int timeout,
      Duration unused,
      Duration news,
      DebugLogger log) {
    RankLoop connections = listen(at, secret, Duration.ofSeconds(timeout), log);
    Root root = new Root(connections, timeout, news, log);
    ControlLoop loop = connections.loop;
    // An id that is made and never used must not keep a thread for ever.
    loop.execute(() -> loop.after(unused.toNanos(), () -> root.endUnused(unused)));
    connections.start(root, defect -> root.over = true); // links that close tell the ranks
    log.info(
        LogSubsystem.BOOTSTRAP, "bootstrap", "root listens at " + Address.text(root.address()));
    return root;
  }

  private static RankLoop listen(
      List<InetSocketAddress> at, JobSecret secret, Duration timeout, DebugLogger log) {
    List<String> problems = new ArrayList<>();
    IOException last = null;
    for (InetSocketAddress each : at) {
      try {
        return new RankLoop(
            "nitinol-bootstrap-root", each, secret, RankGreeting.ROOT, timeout, log);
      } catch (IOException e) {
        String given =
            each.getPort() == 0 || secret.isOfText()
                ? ""
                : " (" + CoreVariables.COMM_ID + "), which must be an address of rank 0's host";
        problems.add(Address.text(each) + given + ": " + ControlLoop.text(e));
        last = e;
      }
    }
    throw new BootstrapException(
        ResultCode.SYSTEM_ERROR,
        -1,
        "bootstrap: the root cannot listen at " + String.join("; nor at ", problems),
        last);
  }

  /** Returns where it listens. */
  InetSocketAddress address() {
    return listener.address();
  }

  /**
   * Ends the root unless it has done its work, and tells the ranks that came. The thread ends at
   * once if no rank came, else within seconds; this call does not wait for it. Any thread may call
   * this.
   */
  void withdraw() {
    loop.execute(this::endWithdrawn);
  }

  /**
   * Ends the root unless it has done its work. The ranks that came are told {@code why}; so are
   * ranks that come later, for as long as ranks may come. Any thread may call this.
   */
  void withdraw(String why) {
    loop.execute(() -> {
      if (!over) {
        refuse(ResultCode.REMOTE_ERROR, why, null, TimeUnit.SECONDS.toNanos(timeoutSeconds));
      }
    });
  }

  /**
   * The process {@code rank} of {@code processes} has ended. If there are as many ranks and that
   * one has not come, not all of them can come any more, and those that came are told {@code how}.
   * Any thread may call this.
   */
  void ended(int rank, int processes, String how) {
    loop.execute(() -> {
      if (!over && rank < processes) {
        ended.put(rank, new Ended(processes, how));
        refuseIfNotAllCanCome();
      }
    });
  }

  private void refuseIfNotAllCanCome() {
    for (Map.Entry<Integer, Ended> each : ended.entrySet()) {
      Ended end = each.getValue();
      if (!over && end.processes() == joined.length && joined[each.getKey()] == null) {
        refuse(ResultCode.REMOTE_ERROR, end.how(), null, TimeUnit.SECONDS.toNanos(timeoutSeconds));
      }
    }
  }

  private void endWithdrawn() {
    if (!over) {
      if (count > 0) {
        refuse(
            ResultCode.REMOTE_ERROR,
            "the process that made the unique id has withdrawn it before all ranks had come",
            null);
      }
      over = true;
      loop.drain(DRAIN_NANOS);
    }
  }

  @Override
  public void opened(ControlLink link) {
    if (RankGreeting.of(link).kind() != Kind.JOIN) {
      link.close("it takes the root for a rank");
    }
  }

  @Override
  public void received(ControlLink link, byte[] bytes) throws IOException {
    Frame frame = Frame.decode(bytes);
    if (frame.type() != FrameType.JOIN || frame.body().length > Address.MAX_BYTES) {
      link.close("unexpected " + frame.type() + " frame of " + frame.body().length + " bytes");
      return;
    }
    if (refusal != null) {
      refuse(link, refusal);
    } else if (!over) {
      join(link, frame);
    }
  }

  private void join(ControlLink link, Frame frame) {
    int rank = RankGreeting.of(link).peer();
    int ranks = RankGreeting.of(link).ranks();
    if (ranks < 1 || ranks > MAX_RANKS || rank < 0 || rank >= ranks) {
      refuse(
          link,
          Frame.ofText(
              FrameType.REFUSAL,
              ResultCode.INVALID_ARGUMENT.code(),
              "rank " + rank + " of " + ranks + " ranks is impossible"));
      return;
    }
    if (count == 0) {
      joined = new Joined[ranks];
      loop.after(TimeUnit.SECONDS.toNanos(timeoutSeconds), this::timeOut);
      loop.after(newsNanos, this::tellWhoIsMissing);
      begun = System.nanoTime();
    }
    if (ranks != joined.length) {
      Joined first = firstJoined();
      refuse(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "the ranks disagree on how many they are: rank %d at %s says %d, rank %d at %s says %d",
              RankGreeting.of(first.link()).peer(),
              first.link().remote(),
              joined.length,
              rank,
              link.remote(),
              ranks),
          link);
      return;
    }
    Joined earlier = joined[rank];
    if (earlier != null) {
      refuse(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "rank %d came twice, from %s and from %s: every process needs a rank of its own, and an"
                  + " id serves one communicator",
              rank, earlier.link().remote(), link.remote()),
          link);
      return;
    }
    joined[rank] = new Joined(link, frame);
    count++;
    if (count == joined.length) {
      introduce();
    } else {
      refuseIfNotAllCanCome();
    }
  }

  private Joined firstJoined() {
    for (Joined each : joined) {
      if (each != null) {
        return each;
      }
    }
    throw new IllegalStateException("no rank has joined");
  }

  private void introduce() {
    over = true;
    listener.close();
    for (int rank = 0; rank < joined.length; rank++) {
      Joined self = joined[rank];
      Joined successor = joined[(rank + 1) % joined.length];
      if (self == null || successor == null) {
        throw new IllegalStateException("rank " + rank + " is missing among " + count);
      }
      self.link().send(new Frame(FrameType.SUCCESSOR, 0, successor.frame().body()).encode());
    }
    log.info(
        LogSubsystem.BOOTSTRAP, "bootstrap", "root has introduced " + joined.length + " ranks");
    loop.drain(DRAIN_NANOS);
  }

  private void timeOut() {
    if (over) {
      return;
    }
    refuse(
        ResultCode.TIMEOUT,
        ErrorText.of(
            "%s of %d did not come within %d s (%s)%s",
            RankNames.of(ranks(false)),
            joined.length,
            timeoutSeconds,
            CoreVariables.BOOTSTRAP_TIMEOUT,
            listener.turnedAway()),
        null);
  }

  /** Returns the ranks that have come, or those that have not. */
  private BitSet ranks(boolean come) {
    BitSet ranks = new BitSet();
    for (int rank = 0; rank < joined.length; rank++) {
      ranks.set(rank, (joined[rank] != null) == come);
    }
    return ranks;
  }

  /**
   * Reports the missing ranks, with or without a log, so that a user who waits does not have to
   * guess.
   */
  private void tellWhoIsMissing() {
    if (over) {
      return;
    }
    Log.tell(
        log,
        "bootstrap",
        ErrorText.of(
            "waiting for ranks at %s for %d s now, %d s at most (%s): %s of %d came, not yet: %s%s",
            Address.text(listener.address()),
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
            timeoutSeconds,
            CoreVariables.BOOTSTRAP_TIMEOUT,
            RankNames.of(ranks(true)),
            joined.length,
            RankNames.of(ranks(false)),
            listener.turnedAway()));
    newsNanos *= 2;
    loop.after(newsNanos, this::tellWhoIsMissing);
  }

  private void endUnused(Duration unused) {
    if (!over && count == 0) {
      over = true;
      log.warn(
          "bootstrap",
          ErrorText.of(
              "root ends: no rank has come within %d s, which %s sets a tenth of",
              unused.toSeconds(), CoreVariables.BOOTSTRAP_TIMEOUT));
      loop.drain(DRAIN_NANOS);
    }
  }

  private void refuse(ResultCode result, String why, @Nullable ControlLink latest) {
    refuse(result, why, latest, LINGER_NANOS);
  }

  /** Tells all ranks that came why they cannot meet, and for a while those that come later. */
  private void refuse(
      ResultCode result, String why, @Nullable ControlLink latest, long lingerNanos) {
    over = true;
    log.warn("bootstrap", "root: " + why);
    Frame frame = Frame.ofText(FrameType.REFUSAL, result.code(), why);
    refusal = frame;
    for (Joined each : joined) {
      if (each != null) {
        refuse(each.link(), frame);
      }
    }
    if (latest != null) {
      refuse(latest, frame);
    }
    loop.after(lingerNanos, () -> loop.drain(DRAIN_NANOS));
  }

  private static void refuse(ControlLink link, Frame frame) {
    link.send(frame.encode());
    link.finish();
  }

  @Override
  public void closed(ControlLink link, boolean proved, String reason) {
    int rank = RankGreeting.of(link).peer();
    Joined left = rank >= 0 && rank < joined.length ? joined[rank] : null;
    if (!over && left != null && left.link().equals(link)) {
      refuse(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "rank %d at %s left before all ranks had come: %s; still missing: %s of %d",
              rank, link.remote(), reason, RankNames.of(ranks(false)), joined.length),
          null);
    }
  }
}
