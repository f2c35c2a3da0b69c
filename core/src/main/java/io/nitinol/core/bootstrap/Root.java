// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.Handshake.Kind;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Introduces the ranks of one communicator to each other; mirrors NCCL's {@code bootstrapRoot}. It
 * waits until every rank has said where it listens, tells each where its successor in the ring
 * listens, and ends. When a rank does not come, comes twice, leaves, or believes in another number
 * of ranks, all that came are told so.
 */
final class Root implements LinkLoop.Handler {
  private static final int MAX_RANKS = 1 << 20;
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long UNUSED_NANOS = TimeUnit.HOURS.toNanos(1);

  /** A rank that has come, and the frame that said where it listens. */
  private record Joined(Link link, Frame frame) {}

  private final LinkLoop loop;
  private final int timeoutSeconds;
  private final DebugLogger log;
  private @Nullable Joined[] joined = new Joined[0];
  private int count;
  private boolean over;
  private @Nullable Frame refusal;

  private Root(LinkLoop loop, int timeoutSeconds, DebugLogger log) {
    this.loop = loop;
    this.timeoutSeconds = timeoutSeconds;
    this.log = log;
  }

  /**
   * Starts a root that listens at {@code at}, whose port may be 0.
   *
   * @return the address it listens at
   * @throws BootstrapException when nothing can listen there
   */
  static InetSocketAddress start(
      InetSocketAddress at, byte[] secret, Settings settings, DebugLogger log) {
    int timeout = settings.get(CoreVariables.BOOTSTRAP_TIMEOUT);
    LinkLoop loop;
    try {
      loop =
          new LinkLoop(
              "nitinol-bootstrap-root",
              at,
              secret,
              Handshake.ROOT,
              Duration.ofSeconds(timeout),
              log);
    } catch (IOException e) {
      throw new BootstrapException(
          ResultCode.SYSTEM_ERROR,
          -1,
          "bootstrap: the root cannot listen at "
              + Address.text(at)
              + (at.getPort() == 0
                  ? ""
                  : " (" + CoreVariables.COMM_ID + "), which must be an address of rank 0's host")
              + ": "
              + LinkLoop.text(e),
          e);
    }
    Root root = new Root(loop, timeout, log);
    // An id that is made and never used must not keep a thread for ever.
    loop.execute(() -> loop.after(UNUSED_NANOS, root::endUnused));
    loop.start(root);
    log.info(
        LogSubsystem.BOOTSTRAP, "bootstrap", "root listens at " + Address.text(loop.address()));
    return loop.address();
  }

  @Override
  public void opened(Link link) {
    if (link.kind() != Kind.JOIN) {
      link.close("it takes the root for a rank");
    }
  }

  @Override
  public void received(Link link, Frame frame) {
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

  private void join(Link link, Frame frame) {
    int rank = link.peer();
    int ranks = link.ranks();
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
    }
    if (ranks != joined.length) {
      Joined first = firstJoined();
      refuse(
          ResultCode.INVALID_USAGE,
          "the ranks disagree on how many they are: rank "
              + first.link().peer()
              + " at "
              + first.link().remote()
              + " says "
              + joined.length
              + ", rank "
              + rank
              + " at "
              + link.remote()
              + " says "
              + ranks,
          link);
      return;
    }
    Joined earlier = joined[rank];
    if (earlier != null) {
      refuse(
          ResultCode.INVALID_USAGE,
          "rank "
              + rank
              + " came twice, from "
              + earlier.link().remote()
              + " and from "
              + link.remote()
              + ": every process needs a rank of its own, and an id serves one communicator",
          link);
      return;
    }
    joined[rank] = new Joined(link, frame);
    count++;
    if (count == joined.length) {
      introduce();
    }
  }

  private Joined firstJoined() {
    for (Joined each : joined) {
      if (each != null) {
        return each;
      }
    }
    throw new IllegalStateException("nobody has joined");
  }

  private void introduce() {
    over = true;
    loop.stopListening();
    for (int rank = 0; rank < joined.length; rank++) {
      Joined self = joined[rank];
      Joined successor = joined[(rank + 1) % joined.length];
      if (self == null || successor == null) {
        throw new IllegalStateException("rank " + rank + " is missing among " + count);
      }
      self.link().send(new Frame(FrameType.SUCCESSOR, 0, successor.frame().body()));
    }
    log.info(
        LogSubsystem.BOOTSTRAP, "bootstrap", "root has introduced " + joined.length + " ranks");
    loop.drain(DRAIN_NANOS);
  }

  private void timeOut() {
    if (over) {
      return;
    }
    BitSet missing = new BitSet();
    for (int rank = 0; rank < joined.length; rank++) {
      missing.set(rank, joined[rank] == null);
    }
    refuse(
        ResultCode.TIMEOUT,
        RankNames.of(missing)
            + " of "
            + joined.length
            + " did not come within "
            + timeoutSeconds
            + " s ("
            + CoreVariables.BOOTSTRAP_TIMEOUT
            + ")",
        null);
  }

  private void endUnused() {
    if (!over && count == 0) {
      over = true;
      log.warn("bootstrap", "root ends: no rank has come within an hour");
      loop.drain(DRAIN_NANOS);
    }
  }

  /** Tells all that came why the ranks cannot meet, and for a while all that still come. */
  private void refuse(ResultCode result, String why, @Nullable Link latest) {
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
    loop.after(LINGER_NANOS, () -> loop.drain(DRAIN_NANOS));
  }

  private static void refuse(Link link, Frame frame) {
    link.send(frame);
    link.finish();
  }

  @Override
  public void written(Link link, int bytes) {
    // What the root sends is small and sent once.
  }

  @Override
  public void closed(Link link, boolean proved, String reason) {
    int rank = link.peer();
    Joined left = rank >= 0 && rank < joined.length ? joined[rank] : null;
    if (!over && left != null && left.link().equals(link)) {
      refuse(
          ResultCode.REMOTE_ERROR,
          "rank " + rank + " at " + link.remote() + " left before all ranks had come: " + reason,
          null);
    }
  }

  @Override
  public void crashed(Throwable defect) {
    over = true; // its links close, which tells those who came
  }
}
