// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings a rank into its group: it starts the root if that is this rank's task, reports to it,
 * connects to its successor in the ring, and learns where all others listen.
 */
final class Joining {
  /** How much longer than the bootstrap's limit a connection may take to be made. */
  private static final Duration DIAL_GRACE = Duration.ofSeconds(2);

  private final UniqueId id;
  private final Bootstrap bootstrap;
  private final InetAddress own;
  private final ControlLoop loop;
  private final InetSocketAddress address;
  private final Mailbox mailbox;
  private final Member member;

  private Joining(
      UniqueId id,
      int rank,
      int ranks,
      Settings settings,
      DebugLogger log,
      @Nullable Bootstrap parent,
      @Nullable Root root) {
    Duration timeout = Duration.ofSeconds(settings.get(CoreVariables.BOOTSTRAP_TIMEOUT));
    this.id = id;
    this.own = parent != null ? parent.address() : OwnEnd.address(id, root, settings);
    RankLoop connections = OwnEnd.listen(own, id, rank, timeout, log);
    this.loop = connections.loop;
    this.address = connections.listener.address();
    this.mailbox = new Mailbox(Bootstrap.name(rank, ranks), timeout);
    this.member = new Member(rank, ranks, connections, mailbox, timeout.plus(DIAL_GRACE), log);
    this.bootstrap = new Bootstrap(rank, ranks, connections, mailbox, member, timeout, log);
    connections.start(member, member::crashed);
  }

  /**
   * As {@link Bootstrap#connect(UniqueId, int, int, Settings, DebugLogger, Bootstrap, Consumer)}.
   */
  static Bootstrap connect(
      UniqueId id,
      int rank,
      int ranks,
      Settings settings,
      DebugLogger log,
      @Nullable Bootstrap parent,
      Consumer<Bootstrap> begun) {
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          "bootstrap: rank " + rank + " of " + ranks + " ranks is impossible");
    }
    DescriptorLimit.check(log);
    long begin = System.nanoTime();
    Root root =
        id.rootAtRank0() && rank == 0
            ? Root.start(id.roots(), id.jobSecret(), settings, log)
            : null;
    Joining joining;
    try {
      joining = new Joining(id, rank, ranks, settings, log, parent, root);
    } catch (RuntimeException e) {
      if (root != null) {
        root.withdraw(); // without rank 0 the others come in vain
      }
      throw e;
    }
    Bootstrap bootstrap = joining.bootstrap;
    try {
      begun.accept(bootstrap);
      joining.meet(rootLimit(Duration.ofSeconds(settings.get(CoreVariables.BOOTSTRAP_TIMEOUT))));
    } catch (RuntimeException e) {
      if (e instanceof BootstrapException known && known.result() == ResultCode.TIMEOUT) {
        bootstrap.blame(known); // first, since what a rank hears first counts
      }
      bootstrap.abandon("could not connect: " + e.getMessage());
      throw e;
    }
    log.info(
        LogSubsystem.BOOTSTRAP,
        "bootstrap",
        ErrorText.of(
            "%s listens at %s, all ranks met after %d ms",
            Bootstrap.name(rank, ranks),
            Address.text(joining.address),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
    return bootstrap;
  }

  /**
   * Returns how long a rank waits for the root's answer. The root's own limit begins with the first
   * rank that it hears, on a loaded machine seconds after that rank began to wait, and only the
   * root knows the ranks that are missing. So a rank that has reached it waits twice as long.
   */
  private static Duration rootLimit(Duration timeout) {
    return timeout.plus(timeout.compareTo(DIAL_GRACE) < 0 ? DIAL_GRACE : timeout);
  }

  private void meet(Duration limit) {
    List<InetSocketAddress> roots =
        id.roots().stream()
            .map(at -> new InetSocketAddress(Addresses.scoped(at.getAddress(), own), at.getPort()))
            .toList();
    loop.execute(() -> member.join(roots, !id.rootAtRank0(), id.note()));
    byte[] answer =
        mailbox.take(
            RankGreeting.ROOT,
            FrameType.SUCCESSOR,
            0,
            limit,
            () -> "all ranks to report to the root at " + id.describe());
    int size = bootstrap.size();
    if (size == 1) {
      return;
    }
    InetSocketAddress successor = Address.decode(ByteBuffer.wrap(answer), own);
    // Before the successor gives up waiting: it does not know the address that is not reached.
    Duration ringLimit = bootstrap.limit().multipliedBy(9).dividedBy(10);
    loop.execute(() -> member.connectRing(successor, ringLimit.toNanos()));
    int predecessor = (bootstrap.rank() + size - 1) % size;
    byte[] _ =
        mailbox.take(
            predecessor,
            FrameType.JOIN,
            0,
            () -> "its predecessor in the ring, rank " + predecessor + ", to connect");
    member.learn(bootstrap.allGather(Address.encode(address)), own);
  }
}
