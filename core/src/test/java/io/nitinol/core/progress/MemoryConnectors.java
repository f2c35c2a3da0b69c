// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.team.AreaShape;
import io.nitinol.core.team.Team;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.team.TeamPlan;
import io.nitinol.core.team.TeamSetup;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.net.NetTransport;
import io.nitinol.spi.tuner.Protocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The links of all ranks of a group in one process, over a plugin and over memory. A connection is
 * there once both its ends have been asked for, a team once all its members have.
 */
final class MemoryConnectors {
  private record Key(int from, int to, int channel, Connectors.Use use) {}

  private record TeamKey(int channel, Protocol protocol) {}

  private final class Connection {
    final Transport.PendingReceive in;
    final Transport.PendingSend out;
    @Nullable SendConnector send;
    @Nullable ReceiveConnector receive;
    private boolean askedToSend;
    private boolean askedToReceive;

    Connection(Key key) {
      int bytes = key.use() == Connectors.Use.PAIR ? pairBytes : slotBytes;
      in = transport.receive(key.channel(), key.from(), key.use(), bytes);
      out = transport.send(key.channel(), key.to(), key.use(), bytes, in.handle());
    }

    /** Connects at once when the other end is asked for. */
    void ask(boolean sending) {
      if (sending ? askedToSend : askedToReceive) {
        return;
      }
      askedToSend |= sending;
      askedToReceive |= !sending;
      while (askedToSend && askedToReceive && (send == null || receive == null)) {
        send = send == null ? out.poll() : send;
        receive = receive == null ? in.poll() : receive;
      }
      if (send != null) {
        in.close();
      }
    }

    void close(boolean sending) {
      if (sending && send != null) {
        send.close();
      } else if (sending) {
        out.close();
      } else if (receive != null) {
        receive.close();
      } else {
        in.close();
      }
    }
  }

  private static final class TeamState {
    final List<TeamSetup> setups = new ArrayList<>();
    final @Nullable Team[] teams;

    TeamState(int size) {
      teams = new @Nullable Team[size];
    }
  }

  private final int size;
  private final NetTransport transport;
  private final int slotBytes;
  private final int pairBytes;
  private final Map<Protocol, AreaShape> shapes;
  private final Map<Key, Connection> connections = new HashMap<>();
  private final Map<TeamKey, TeamState> teams = new HashMap<>();
  private int held = -1;

  MemoryConnectors(int size, NetTransport transport, int slotBytes, int pairBytes, int teamBytes) {
    this.size = size;
    this.transport = transport;
    this.slotBytes = slotBytes;
    this.pairBytes = pairBytes;
    this.shapes =
        Map.of(
            Protocol.LL, new AreaShape(Protocol.LL, teamBytes, 4),
            Protocol.SIMPLE, new AreaShape(Protocol.SIMPLE, teamBytes, 2));
  }

  /** Lets no connection with {@code rank} be made; -1 for none. */
  synchronized void hold(int rank) {
    held = rank;
  }

  /** Returns what rank {@code rank} sees. */
  Connectors of(int rank) {
    return new Connectors() {
      @Override
      public @Nullable SendConnector sender(int peer, int channel, Use use) {
        Connection connection = ask(new Key(rank, peer, channel, use), true);
        return connection == null ? null : connection.send;
      }

      @Override
      public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
        Connection connection = ask(new Key(peer, rank, channel, use), false);
        return connection == null ? null : connection.receive;
      }

      @Override
      public @Nullable TeamArea team(int channel, Protocol protocol) {
        return join(rank, channel, protocol);
      }

      @Override
      public int missingMember(int channel, Protocol protocol) {
        return missing(rank, channel, protocol);
      }

      @Override
      public void close(List<Throwable> errors) {
        closeOf(rank, errors);
      }
    };
  }

  private synchronized @Nullable Connection ask(Key key, boolean sending) {
    if (key.from() == held || key.to() == held) {
      return null;
    }
    Connection connection = connections.computeIfAbsent(key, Connection::new);
    connection.ask(sending);
    return connection;
  }

  private synchronized @Nullable TeamArea join(int rank, int channel, Protocol protocol) {
    TeamState state =
        teams.computeIfAbsent(new TeamKey(channel, protocol), k -> new TeamState(size));
    if (state.setups.isEmpty()) {
      byte[][] mail = new byte[size][];
      List<Integer> ranks = IntStream.range(0, size).boxed().toList();
      for (int r = 0; r < size; r++) {
        int member = r;
        state.setups.add(
            new TeamSetup(
                new TeamPlan(ranks, r, true, List.of(shapes.get(protocol))),
                new ShmDirectory(Path.of("/dev/shm"), new RecordedLog()),
                (to, message) -> mail[to] = message,
                from -> mail[member]));
      }
    }
    if (rank == held) {
      return null;
    }
    if (state.teams[rank] == null) {
      state.teams[rank] = state.setups.get(rank).poll();
    }
    Team team = state.teams[rank];
    return team == null ? null : team.area(0);
  }

  private synchronized int missing(int rank, int channel, Protocol protocol) {
    TeamState state = teams.get(new TeamKey(channel, protocol));
    return state == null ? -1 : state.setups.get(rank).missing();
  }

  private synchronized void closeOf(int rank, List<Throwable> errors) {
    connections.forEach((key, connection) -> {
      try {
        if (key.from() == rank) {
          connection.close(true);
        } else if (key.to() == rank) {
          connection.close(false);
        }
      } catch (Throwable e) {
        errors.add(e);
      }
    });
    for (TeamState state : teams.values()) {
      Team team = state.teams[rank];
      if (team != null) {
        team.close();
      } else {
        state.setups.get(rank).close();
      }
    }
  }
}
