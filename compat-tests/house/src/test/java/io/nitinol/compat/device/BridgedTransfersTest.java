// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends and receives within and between teams. */
class BridgedTransfersTest {
  private static final long MIB = 1 << 20;

  private static Map<String, String> over(int connections) {
    return Map.of("NITINOL_RAIL_CONNECTIONS", String.valueOf(connections));
  }

  @ParameterizedTest
  @CsvSource({"AB, 1", "AB, 2", "AB, 3", "AABB, 1", "AABB, 3", "AAB, 1", "AABBCC, 1"})
  void areMatchedInTheirOrderWhateverTheOrderOfTheList(String teams, int connections)
      throws Exception {
    int messages = 3;
    long most = 500_000;
    try (BridgedRanks ranks = new BridgedRanks(teams, over(connections))) {
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
    long ranks = from * 37_003L % 5 + to * 11_003L % 7;
    return message == 1 ? 0 : 1 + (ranks * 11_003L + message * 53L) * (round + 1);
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

  /** No size is a multiple of what a piece, a part of it or a slot has. */
  @ParameterizedTest
  @CsvSource({"AB, 1", "AB, 2", "AB, 5", "AABB, 3", "ABC, 1"})
  void anAllToAllHasAnySize(String teams, int connections) throws Exception {
    try (BridgedRanks ranks = new BridgedRanks(teams, over(connections))) {
      ranks.run(rank -> {
        int n = rank.ranks();
        for (long size : new long[] {1, 32_767, 32_769, 262_145, MIB, 5 * MIB + 3, 0, 7}) {
          MemorySegment src = rank.allocate(n * size);
          MemorySegment dst = rank.allocate(n * size);
          for (int peer = 0; peer < n; peer++) {
            fill(src.asSlice(peer * size, size), rank.number * n + peer);
          }
          rank.team.allToAll(rank.stream, src.address(), dst.address(), size);
          rank.finish();
          assertThat(rank.team.failure()).isNull();
          for (int peer = 0; peer < n; peer++) {
            isFilled(dst.asSlice(peer * size, size), peer * n + rank.number);
          }
        }
        return true;
      });
    }
  }

  /** What rank 0 waits for is sent once all that it sends has come: more than slots hold. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whatIsSentDoesNotWaitForWhatIsReceived(int connections) throws Exception {
    long much = 20 * MIB + 5;
    long little = 12 * MIB;
    try (BridgedRanks ranks = new BridgedRanks("AB", over(connections))) {
      ranks.run(rank -> {
        boolean first = rank.number == 0;
        MemorySegment src = rank.allocate(much);
        MemorySegment dst = rank.allocate(much);
        fill(src, rank.number);
        TeamTransfer send =
            new TeamTransfer(Direction.SEND, 1 - rank.number, src.address(), first ? much : little);
        TeamTransfer receive =
            new TeamTransfer(
                Direction.RECEIVE, 1 - rank.number, dst.address(), first ? little : much);
        if (first) {
          rank.team.transfer(rank.stream, List.of(receive, send));
        } else {
          rank.team.transfer(rank.stream, List.of(receive));
          rank.team.transfer(rank.stream, List.of(send));
        }
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        isFilled(dst.asSlice(0, first ? little : much), 1 - rank.number);
        return true;
      });
    }
  }

  /** Both send before they receive, in calls of their own. */
  @Test
  void aCallThatOnlySendsDoesNotHoldBackTheNext() throws Exception {
    long size = 6 * MIB + 1;
    try (BridgedRanks ranks = new BridgedRanks("AB", over(3))) {
      ranks.run(rank -> {
        MemorySegment src = rank.allocate(size);
        MemorySegment dst = rank.allocate(size);
        for (int round = 0; round < 3; round++) {
          fill(src, rank.number + round);
          int peer = 1 - rank.number;
          rank.team.transfer(
              rank.stream, List.of(new TeamTransfer(Direction.SEND, peer, src.address(), size)));
          rank.team.transfer(
              rank.stream, List.of(new TeamTransfer(Direction.RECEIVE, peer, dst.address(), size)));
          rank.finish();
          assertThat(rank.team.failure()).isNull();
          isFilled(dst, peer + round);
        }
        return true;
      });
    }
  }

  /** Calls in both orders, with collectives between them, that all have to keep their order. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void collectivesAndTransfersKeepTheirOrder(int connections) throws Exception {
    long size = 2 * MIB + 11;
    try (BridgedRanks ranks = new BridgedRanks("AB", over(connections))) {
      ranks.run(rank -> {
        MemorySegment src = rank.allocate(size);
        MemorySegment dst = rank.allocate(size);
        MemorySegment all = rank.allocate(size);
        fill(src, rank.number);
        if (rank.number == 0) {
          fill(all, 77);
        }
        int peer = 1 - rank.number;
        for (int round = 0; round < 20; round++) {
          boolean sends = round % 2 == rank.number;
          long length = round % 5 == 0 ? size : 1 + round * 1000L;
          rank.team.transfer(
              rank.stream,
              List.of(
                  sends
                      ? new TeamTransfer(Direction.SEND, peer, src.address(), length)
                      : new TeamTransfer(Direction.RECEIVE, peer, dst.address(), length)));
          rank.team.broadcast(rank.stream, all.address(), all.address(), size, 0);
        }
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        isFilled(all, 77);
        // The last one of the full size: round 15 to rank 0, round 10 to rank 1.
        isFilled(dst, peer);
        return true;
      });
    }
  }

  /** A driver's queue takes about a thousand pieces of work, and one thread may call for all. */
  @Test
  void aLargeTransferIsNotMoreWorkForAStreamThanASmallOne() throws Exception {
    long size = 40 * MIB + 17;
    try (BridgedRanks ranks = new BridgedRanks("AB", over(3))) {
      List<Integer> works =
          ranks.run(rank -> {
            AtomicInteger work = new AtomicInteger();
            MemorySegment src = rank.allocate(size);
            MemorySegment dst = rank.allocate(size);
            fill(src, rank.number);
            int peer = 1 - rank.number;
            rank.team.transfer(
                counting(rank.stream, work),
                List.of(
                    new TeamTransfer(Direction.SEND, peer, src.address(), size),
                    new TeamTransfer(Direction.RECEIVE, peer, dst.address(), size)));
            rank.finish();
            assertThat(rank.team.failure()).isNull();
            isFilled(dst, peer);
            return work.get();
          });
      assertThat(works).allSatisfy(each -> assertThat(each).isBetween(4, 64));
    }
  }

  /** Returns a stream that counts what is put into it. */
  private static DeviceStream counting(DeviceStream stream, AtomicInteger work) {
    return (DeviceStream)
        Proxy.newProxyInstance(
            DeviceStream.class.getClassLoader(),
            new Class<?>[] {DeviceStream.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "copy", "writeValue", "waitValue" -> work.incrementAndGet();
                default -> {}
              }
              return method.invoke(stream, arguments);
            });
  }

  private static void fill(MemorySegment memory, int seed) {
    for (long at = 0; at < memory.byteSize(); at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, pattern(at, seed));
    }
  }

  private static void isFilled(MemorySegment memory, int seed) {
    for (long at = 0; at < memory.byteSize(); at++) {
      byte found = memory.get(ValueLayout.JAVA_BYTE, at);
      if (found != pattern(at, seed)) {
        assertThat(found).as("byte %d of %d", at, memory.byteSize()).isEqualTo(pattern(at, seed));
      }
    }
  }

  private static byte pattern(long at, int seed) {
    return (byte) (at + (at >> 8) * 3 + (at >> 16) * 7 + seed * 31L);
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
