// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.team.Team;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one rank, made in the background; mirrors {@code ncclTransportRuntimeConnect}.
 * The receiver listens as soon as it is asked and offers its handle to the sender over the
 * bootstrap; the sender dials once it is asked too, and says so. Nothing waits for anything else,
 * so ranks may ask in any order. A peer that does not ask is no error, but once both have begun
 * they have {@code NITINOL_BOOTSTRAP_TIMEOUT} seconds.
 */
public final class LazyConnectors implements Connectors {
  private static final int USES = Use.values().length;

  private final ConnectContext here;
  private final PeerInfo[] peers;
  private final List<Transport> transports;
  private final int channels;
  private final SlotBytes slotBytes;
  private final AtomicReferenceArray<@Nullable SendingConnection> sends;
  private final AtomicReferenceArray<@Nullable ReceivingConnection> receives;
  private final AtomicReferenceArray<@Nullable TeamMaking> teams;
  private final @Nullable HostTeam hostTeam;
  private final ConnectThread thread;

  /**
   * Creates the connections, of which none is made yet.
   *
   * @param bootstrap carries what the ends tell one another
   * @param peers all ranks, the same on all of them
   * @param transports the ways to connect, the best first, the same on all ranks
   * @param channels how many channels may be asked for
   * @param slotBytes the most data bytes of messages, the same on all ranks
   * @param hostTeam how ranks of one host share memory; null where no operation uses it
   * @param failures is told what goes wrong
   * @param memory what the transports allocate from; kept where a connection does not let go of it
   * @param limitSeconds how long a connection may take once both ends have begun
   */
  public LazyConnectors(
      Bootstrap bootstrap,
      PeerInfo[] peers,
      List<Transport> transports,
      int channels,
      SlotBytes slotBytes,
      @Nullable HostTeam hostTeam,
      CommFailures failures,
      CommMemory memory,
      DebugLogger logger,
      int limitSeconds) {
    this.here =
        new ConnectContext(bootstrap, List.of(peers), failures, memory, logger, limitSeconds);
    this.peers = peers.clone();
    this.transports = List.copyOf(transports);
    this.channels = channels;
    this.slotBytes = slotBytes;
    int count = peers.length * channels * USES;
    this.sends = new AtomicReferenceArray<>(count);
    this.receives = new AtomicReferenceArray<>(count);
    this.teams = new AtomicReferenceArray<>(channels);
    this.hostTeam = hostTeam;
    this.thread = new ConnectThread(here, channels, this::addressee);
    bootstrap.onMessage(ConnectContext.TAG, thread::deliver);
  }

  @Override
  public @Nullable SendConnector sender(int peer, int channel, Use use) {
    SendingConnection connection = sends.get(index(peer, channel, use));
    if (connection == null) {
      connection = sending(peer, channel, use);
    }
    SendConnector there = connection.connector();
    return there != null ? there : missing(connection);
  }

  @Override
  public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
    ReceivingConnection connection = receives.get(index(peer, channel, use));
    if (connection == null) {
      connection = receiving(peer, channel, use);
    }
    ReceiveConnector there = connection.connector();
    return there != null ? there : missing(connection);
  }

  /** Begins to make a connection that is not there, unless somebody has asked for it before. */
  private <T> @Nullable T missing(PendingConnection<T> connection) {
    if (connection.ask()) {
      thread.begin(connection);
    } else if (connection.isLost()) {
      failFor(connection.peer, connection.verb());
    }
    return null;
  }

  /** Fails for a rank that has left, and that somebody needs. */
  private void failFor(int peer, String verb) {
    if (here.failures().get() == null) {
      here.failures()
          .report(
              new FailureReport(
                  here.rank(),
                  ResultCode.REMOTE_ERROR,
                  peer,
                  ErrorText.of(
                      "rank %s has closed its communicator, before rank %s could %s it",
                      peer, here.rank(), verb)));
    }
  }

  private int index(int peer, int channel, Use use) {
    if (peer == here.rank() || channel < 0 || channel >= channels) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "rank %s to rank %s on channel %s of %s", here.rank(), peer, channel, channels));
    }
    return (peer * channels + channel) * USES + use.ordinal();
  }

  private SendingConnection sending(int peer, int channel, Use use) {
    Transport transport = transport(here.rank(), peer);
    SendingConnection mine =
        new SendingConnection(peer, channel, use, transport, slotBytes.of(use, transport), here);
    SendingConnection other = sends.compareAndExchange(index(peer, channel, use), null, mine);
    return other == null ? mine : other;
  }

  private ReceivingConnection receiving(int peer, int channel, Use use) {
    Transport transport = transport(peer, here.rank());
    ReceivingConnection mine =
        new ReceivingConnection(peer, channel, use, transport, slotBytes.of(use, transport), here);
    ReceivingConnection other = receives.compareAndExchange(index(peer, channel, use), null, mine);
    return other == null ? mine : other;
  }

  /** Returns what a notice is about, which may not have been asked for yet. */
  private PendingSetup addressee(int peer, ConnectNotice notice) {
    if (notice.kind() == ConnectNotice.Kind.TEAM) {
      return making(notice.channel());
    }
    int index = index(peer, notice.channel(), notice.use());
    if (notice.kind() == ConnectNotice.Kind.OFFER) {
      SendingConnection known = sends.get(index);
      return known != null ? known : sending(peer, notice.channel(), notice.use());
    }
    ReceivingConnection known = receives.get(index);
    return known != null ? known : receiving(peer, notice.channel(), notice.use());
  }

  /** Chooses from what all ranks know, so that both ends choose the same. */
  private Transport transport(int from, int to) {
    for (Transport transport : transports) {
      if (transport.canConnect(peers[from], peers[to])) {
        return transport;
      }
    }
    throw new CommException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "no transport connects rank %s to rank %s; there are %s",
            from, to, String.join(", ", transports.stream().map(Transport::name).toList())));
  }

  @Override
  public @Nullable TeamArea team(int channel, Protocol protocol) {
    TeamMaking making = making(channel);
    Team there = making.team();
    if (there != null) {
      return there.area(hostTeam().area(protocol));
    }
    if (making.ask()) {
      thread.begin(making);
    } else if (making.isLost()) {
      failFor(making.left(), "share memory with");
    }
    return null;
  }

  @Override
  public String connecting(int peer) {
    for (int index = peer * channels * USES; index < (peer + 1) * channels * USES; index++) {
      SendingConnection sending = sends.get(index);
      String warning = sending == null ? null : sending.warning();
      if (warning != null) {
        return "; " + warning;
      }
    }
    return "";
  }

  /** Counts the bootstrap's links too: between two ranks one of them often comes first. */
  @Override
  public long moves() {
    return thread.moves() + here.bootstrap().opened();
  }

  @Override
  public List<Flow> flows(int most) {
    List<Flow> found = new ArrayList<>();
    for (int i = 0; i < sends.length() && found.size() < most; i++) {
      SendingConnection sending = sends.get(i);
      SendConnector to = sending == null ? null : sending.connector();
      long done = to == null ? 0 : to.done(); // first, so that it is never more than were sent
      long sent = to == null ? -1 : to.sent();
      add(found, i, true, sent, sent - done);
      ReceivingConnection receiving = receives.get(i);
      ReceiveConnector from = receiving == null ? null : receiving.connector();
      long arrived = from == null ? -1 : from.arrived(); // first, as above
      add(found, i, false, arrived, from == null ? 0 : from.expected() - arrived);
    }
    return found;
  }

  private void add(List<Flow> found, int index, boolean isSend, long messages, long pending) {
    if (messages >= 0) {
      Use use = Use.values()[index % USES];
      int connection = index / USES;
      int peer = connection / channels;
      found.add(new Flow(peer, connection % channels, use, isSend, messages, pending));
    }
  }

  @Override
  public int nextOnHost() {
    int size = peers.length;
    for (int i = 1; i < size; i++) {
      int rank = (here.rank() + i) % size;
      if (peers[rank].host() == peers[here.rank()].host()) {
        return rank;
      }
    }
    return -1;
  }

  @Override
  public int missingMember(int channel, Protocol protocol) {
    TeamMaking known = teams.get(channel);
    return known == null ? -1 : known.missing();
  }

  private HostTeam hostTeam() {
    return Objects.requireNonNull(hostTeam, "teams are not wanted");
  }

  private TeamMaking making(int channel) {
    TeamMaking known = teams.get(channel);
    if (known != null) {
      return known;
    }
    HostTeam how = hostTeam();
    TeamMaking mine = new TeamMaking(channel, how.plan(here.rank(), peers), how.directory(), here);
    TeamMaking other = teams.compareAndExchange(channel, null, mine);
    return other == null ? mine : other;
  }

  @Override
  public void abandon(List<Throwable> errors) {
    uninterrupted(() -> thread.end(errors));
  }

  @Override
  public void close(List<Throwable> errors) {
    uninterrupted(() -> {
      thread.end(errors);
      for (int i = 0; i < sends.length(); i++) {
        close(sends.get(i), errors);
        close(receives.get(i), errors);
      }
      for (int channel = 0; channel < teams.length(); channel++) {
        TeamMaking team = teams.get(channel);
        if (team != null) {
          team.close(errors);
        }
      }
    });
  }

  private static void close(@Nullable PendingConnection<?> connection, List<Throwable> errors) {
    if (connection != null) {
      connection.close(errors);
    }
  }

  /** Closing is a call of the plugin, which no interrupt must reach (NET-THREAD-06). */
  private static void uninterrupted(Runnable action) {
    boolean interrupted = Thread.interrupted();
    try {
      action.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
