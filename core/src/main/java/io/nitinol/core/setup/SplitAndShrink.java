// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.DaemonThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes communicators out of the ranks of one, and ends their making when that one fails. */
@AnyThread
public final class SplitAndShrink {
  /** The color of ranks that a split leaves out. */
  public static final int NO_COLOR = -1;

  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int WISH_BYTES = 2 * Integer.BYTES;

  /** What a rank asks for in a split; its place among those of its color follows from the key. */
  record Wish(int rank, int color, int key) {}

  private final Bootstrap bootstrap;
  private final CommFailures failures;
  private final SetupConfig config;

  /** The number of the communicator whose ranks these are. */
  private final long number;

  /** The setups under way, which end with the parent's abort. */
  private final Set<SetupAbort> making = new HashSet<>();

  private boolean aborted; // guarded by making

  /** The setup of a split, which ends with the parent's failure too. Guarded by making. */
  private @Nullable SetupAbort splitting;

  private boolean failed; // guarded by making

  private final Set<PendingShrink> shrinking = new HashSet<>(); // guarded by making

  SplitAndShrink(Bootstrap bootstrap, CommFailures failures, SetupConfig config, long number) {
    this.bootstrap = bootstrap;
    this.failures = failures;
    this.config = config;
    this.number = number;
    bootstrap.onFailure((rank, reason) -> {
      try {
        endSplit();
      } finally {
        if (!CommFailures.isReport(rank, reason)) {
          endShrinks(rank, reason);
        }
      }
    });
  }

  /** Returns how long another rank may take to connect, in seconds. */
  int connectSeconds() {
    return config.settings().get(CoreVariables.BOOTSTRAP_TIMEOUT);
  }

  /** Returns the settings that the communicator was made with. */
  Settings settings() {
    return config.settings();
  }

  /**
   * Ends the split that is under way. One rank may have heard of a failure before it knew with
   * which ranks to meet, and never come to the ranks that knew.
   */
  private void endSplit() {
    SetupAbort ending;
    synchronized (making) {
      failed = true;
      ending = splitting;
    }
    if (ending != null) {
      endAside(ending::abort);
    }
  }

  /** Ends the shrinks that need {@code rank}, which would wait for it as long as they may. */
  private void endShrinks(int rank, String reason) {
    List<PendingShrink> ending;
    synchronized (making) {
      ending = shrinking.stream().filter(each -> each.lose(rank, reason)).toList();
    }
    if (!ending.isEmpty()) {
      endAside(() -> ending.forEach(each -> each.setup().abort()));
    }
  }

  /**
   * Ends setups on a thread of its own: it waits for threads, which the bootstrap loop must not.
   */
  private void endAside(Runnable ending) {
    DaemonThreads.start(config.label(bootstrap.rank()) + "-end", ending);
  }

  /** Ends the setups under way and those to come. */
  void abort(String reason) {
    bootstrap.endRally(reason);
    List<SetupAbort> ending;
    synchronized (making) {
      aborted = true;
      ending = List.copyOf(making);
    }
    ending.forEach(SetupAbort::abort);
  }

  /**
   * Makes one communicator of each color; every rank calls it.
   *
   * @return this rank's place in the one of its color; null for {@link #NO_COLOR}
   */
  public @Nullable AssembledComm split(int color, int key) {
    if (color < 0 && color != NO_COLOR) {
      throw BufferCheck.invalid(
          "split", "color", Integer.toString(color), "0 or more, or Communicator.NO_COLOR");
    }
    List<Wish> group;
    UniqueId id = null;
    try {
      byte[] mine = ByteBuffer.allocate(WISH_BYTES).putInt(color).putInt(key).array();
      group = groupOf(color, bootstrap.allGather(everybody(), Tags.SPLIT, mine));
      int leader = color == NO_COLOR ? -1 : group.getFirst().rank();
      String problem = "";
      if (leader == bootstrap.rank()) {
        try {
          id = bootstrap.childId(config.settings());
        } catch (NetException | BootstrapException e) {
          problem = "!" + e.getMessage();
        }
      }
      byte[] own = (id == null ? problem : id.toString()).getBytes(StandardCharsets.UTF_8);
      byte[][] ids = bootstrap.allGather(everybody(), Tags.SPLIT, own);
      if (leader < 0) {
        return null;
      }
      String text = new String(ids[leader], StandardCharsets.UTF_8);
      if (text.startsWith("!")) {
        throw new CommException(
            ResultCode.SYSTEM_ERROR,
            leader,
            ErrorText.of("split: rank %d could not begin the group: %s", leader, text.substring(1)),
            null);
      }
      int place =
          IntStream.range(0, group.size())
              .filter(i -> group.get(i).rank() == bootstrap.rank())
              .findFirst()
              .orElseThrow();
      return make(
          UniqueId.parse(text),
          group.size(),
          place,
          CommOrigin.split(bootstrap, number, color, key),
          new SetupAbort(),
          true);
    } catch (BootstrapException e) {
      throw failure(e);
    } catch (CommException e) {
      failures.awaitVerdict(NEWS_NANOS); // why it has failed may be the parent's failure
      failures.check();
      throw e;
    } finally {
      if (id != null) {
        id.close(); // ends a root whose ranks have not met; does nothing to one whose have
      }
    }
  }

  static List<Wish> groupOf(int color, byte[][] wishes) {
    List<Wish> group = new ArrayList<>();
    for (int r = 0; r < wishes.length; r++) {
      if (wishes[r].length != WISH_BYTES) {
        throw new CommException(
            ResultCode.INTERNAL_ERROR,
            r,
            ErrorText.of(
                "split: rank %d asks for a color in %d bytes, expected %d",
                r, wishes[r].length, WISH_BYTES),
            null);
      }
      ByteBuffer wish = ByteBuffer.wrap(wishes[r]);
      Wish each = new Wish(r, wish.getInt(), wish.getInt());
      if (each.color() == color) {
        group.add(each);
      }
    }
    group.sort(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank));
    return group;
  }

  AssembledComm shrink(int... excluded) {
    int size = bootstrap.size();
    boolean[] gone = new boolean[size];
    for (int each : excluded) {
      BufferCheck.rank("shrink", "an excluded rank", each, size);
      if (each == bootstrap.rank()) {
        throw BufferCheck.invalid(
            "shrink", "an excluded rank", each + ", which calls it", "other ranks than the caller");
      }
      gone[each] = true;
    }
    int[] ranks = IntStream.range(0, size).filter(r -> !gone[r]).toArray();
    AtomicReference<@Nullable UniqueId> made = new AtomicReference<>();
    PendingShrink mine = new PendingShrink(ranks);
    synchronized (making) {
      shrinking.add(mine);
    }
    try {
      byte[] id =
          bootstrap.rally(
              ranks,
              () -> {
                UniqueId begun = bootstrap.childId(config.settings());
                made.set(begun);
                return begun.toBytes();
              });
      return make(
          UniqueId.fromBytes(id),
          ranks.length,
          Arrays.binarySearch(ranks, bootstrap.rank()),
          CommOrigin.shrink(bootstrap, number, size - ranks.length),
          mine.setup(),
          false);
    } catch (BootstrapException e) {
      throw new CommException(e.result(), e.failedRank(), "shrink: " + e.getMessage(), e);
    } catch (CommException e) {
      awaitLoss(mine);
      throw mine.failure(e);
    } finally {
      synchronized (making) {
        shrinking.remove(mine);
      }
      UniqueId begun = made.get();
      if (begun != null) {
        begun.close();
      }
    }
  }

  /** Waits for the news that may tell why a setup has failed here, unless this rank aborted it. */
  private void awaitLoss(PendingShrink mine) {
    long begin = System.nanoTime();
    while (!mine.hasLost() && !isAborted() && System.nanoTime() - begin < NEWS_NANOS) {
      LockSupport.parkNanos(this, 1_000_000);
    }
  }

  private boolean isAborted() {
    synchronized (making) {
      return aborted;
    }
  }

  /**
   * Makes a communicator of these ranks and of new ones, which meet at {@code id}; this rank keeps
   * its number.
   */
  AssembledComm grow(UniqueId id, int size) {
    return CommSetup.init(
        id, size, bootstrap.rank(), config, CommOrigin.grow(number), new SetupAbort());
  }

  private AssembledComm make(
      UniqueId id, int size, int place, CommOrigin origin, SetupAbort abort, boolean splits) {
    synchronized (making) {
      if (aborted || (splits && failed)) {
        abort.abort();
      } else {
        making.add(abort);
        splitting = splits ? abort : splitting;
      }
    }
    try {
      return CommSetup.init(id, size, place, config, origin, abort);
    } catch (BootstrapException e) {
      // Of the new group's bootstrap; the callers tell it from one of this group's by its type.
      throw new CommException(e.result(), e.failedRank(), String.valueOf(e.getMessage()), e);
    } finally {
      synchronized (making) {
        making.remove(abort);
        splitting = splitting == abort ? null : splitting;
      }
    }
  }

  private int[] everybody() {
    return IntStream.range(0, bootstrap.size()).toArray();
  }

  /** Returns what to throw for an exchange that broke: the verdict of all ranks says more. */
  CommException failure(BootstrapException e) {
    if (e.result() == ResultCode.REMOTE_ERROR
        && e.failedRank() >= 0
        && !bootstrap.hasLeft(e.failedRank())) {
      failures.awaitVerdict(NEWS_NANOS); // the rank may have reported what another has caused
    }
    failures.check();
    return new CommException(e.result(), e.failedRank(), String.valueOf(e.getMessage()), e);
  }
}
