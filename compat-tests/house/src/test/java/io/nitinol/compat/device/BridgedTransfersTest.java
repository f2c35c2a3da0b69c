// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends and receives within and between teams. */
class BridgedTransfersTest {

  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB", "AAB"})
  void areMatchedInTheirOrderWhateverTheOrderOfTheList(String teams) throws Exception {
    int messages = 3;
    long most = 500_000;
    try (BridgedRanks ranks = new BridgedRanks(teams, Map.of())) {
      ranks.run(rank -> {
        for (int round = 0; round < 3; round++) {
          int n = rank.ranks();
          MemorySegment src = rank.allocate(n * messages * most);
          MemorySegment dst = rank.allocate(n * messages * most);
          List<List<TeamTransfer>> pairs = new ArrayList<>();
          for (int peer = 0; peer < n; peer++) {
            List<TeamTransfer> sends = new ArrayList<>();
            List<TeamTransfer> receives = new ArrayList<>();
            for (int m = 0; m < messages; m++) {
              long at = (peer * messages + m) * most;
              long out = size(rank.number, peer, m, round);
              long in = size(peer, rank.number, m, round);
              src.asSlice(at, out).fill(mark(rank.number, peer, m));
              sends.add(new TeamTransfer(Direction.SEND, peer, src.address() + at, out));
              receives.add(new TeamTransfer(Direction.RECEIVE, peer, dst.address() + at, in));
            }
            pairs.add(sends);
            pairs.add(receives);
          }
          // The order within a pair stays; that of the pairs differs on every rank.
          Collections.shuffle(pairs, new Random(rank.number * 31L + round));
          List<TeamTransfer> list = pairs.stream().flatMap(List::stream).toList();
          rank.team.transfer(rank.stream, list);
          rank.finish();
          for (int peer = 0; peer < n; peer++) {
            for (int m = 0; m < messages; m++) {
              long at = (peer * messages + m) * most;
              byte expected = mark(peer, rank.number, m);
              byte[] found =
                  dst.asSlice(at, size(peer, rank.number, m, round)).toArray(ValueLayout.JAVA_BYTE);
              for (byte each : found) {
                if (each != expected) {
                  assertThat(each).as("from %d, message %d", peer, m).isEqualTo(expected);
                }
              }
            }
          }
        }
        return true;
      });
    }
  }

  private static long size(int from, int to, int message, int round) {
    return message == 1 ? 0 : 1 + (from * 37_003L + to * 11_003L + message * 53L) * (round + 1);
  }

  private static byte mark(int from, int to, int message) {
    return (byte) (1 + from * 40 + to * 7 + message);
  }

  /** What one rank needs may stand behind what another one waits for within its team. */
  @Test
  void thoseOfOneCallDoNotWaitForEachOther() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AAB", Map.of())) {
      ranks.run(rank -> {
        // More than a team holds for a rank that does not take it yet.
        long much = 4 << 20;
        long memory = rank.allocate(much + 64).address();
        TeamTransfer[][] calls = {
          {new TeamTransfer(Direction.SEND, 1, memory, much), send(2, memory)},
          {
            receive(2, memory + much), new TeamTransfer(Direction.RECEIVE, 0, memory, much),
          },
          {receive(0, memory), send(1, memory)},
        };
        if (rank.number == 0) {
          rank.team.transfer(rank.stream, List.of(calls[0]));
        } else {
          for (TeamTransfer each : calls[rank.number]) {
            rank.team.transfer(rank.stream, List.of(each));
          }
        }
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        return true;
      });
    }
  }

  private static TeamTransfer send(int peer, long address) {
    return new TeamTransfer(Direction.SEND, peer, address, 8);
  }

  private static TeamTransfer receive(int peer, long address) {
    return new TeamTransfer(Direction.RECEIVE, peer, address, 8);
  }

  @Test
  void wrongOnesChangeNothing() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of())) {
      ranks.run(rank -> {
        long memory = rank.allocate(64).address();
        TeamTransfer nobody = send(2, memory);
        TeamTransfer alone = send(rank.number, memory);
        for (TeamTransfer wrong : List.of(nobody, alone)) {
          assertThatThrownBy(() ->
                  rank.team.transfer(rank.stream, List.of(send(1 - rank.number, memory), wrong)))
              .isInstanceOfSatisfying(
                  DeviceException.class,
                  e -> assertThat(e.failure()).isEqualTo(DeviceFailure.INVALID_ARGUMENT));
        }
        rank.team.transfer(
            rank.stream,
            List.of(send(1 - rank.number, memory), receive(1 - rank.number, memory + 8)));
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        return true;
      });
    }
  }
}
