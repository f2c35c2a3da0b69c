// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The words at the end of device communicators, over a post that never waits. */
class DoneWordsTest {
  private record Letter(int from, int to, int tag) {}

  private final List<Letter> letters = new ArrayList<>();
  private final Set<Integer> unreached = new HashSet<>();
  private final Set<Integer> left = new HashSet<>();

  /** The post of one rank; where nothing has come, receiving fails as after a time limit. */
  private DoneWords words(int rank, long number) {
    return new DoneWords(
        new DoneWords.Post() {
          @Override
          public void send(int peer, int tag, byte[] message) {
            if (unreached.contains(peer)) {
              throw new BootstrapException(ResultCode.REMOTE_ERROR, "no way to rank " + peer);
            }
            letters.add(new Letter(rank, peer, tag));
          }

          @Override
          public byte[] recv(int peer, int tag) {
            if (!letters.remove(new Letter(peer, rank, tag))) {
              throw new BootstrapException(ResultCode.TIMEOUT, "nothing from rank " + peer);
            }
            return new byte[0];
          }

          @Override
          public boolean hasLeft(int peer) {
            return left.contains(peer);
          }
        },
        number);
  }

  private static @Nullable BootstrapException await(DoneWords words, Integer... others) {
    return words.await(List.of(others), () -> false);
  }

  /** Ranks 0 and 1 are in one process, 2 and 3 in another; the last of each asks for the words. */
  @Test
  void whatNobodyAskedForDoesNotEndTheNextOne() {
    for (int rank : new int[] {0, 1}) {
      assertThat(words(rank, 70).tell(List.of(2, 3))).isNull();
    }
    assertThat(await(words(3, 70), 0, 1)).isNull();
    assertThat(letters).hasSize(2); // rank 2 has not asked

    DoneWords next = words(2, 71);
    assertThat(await(next, 0, 1)).isNotNull();
    for (int rank : new int[] {0, 1}) {
      assertThat(words(rank, 71).tell(List.of(2, 3))).isNull();
    }
    assertThat(await(next, 0, 1)).isNull();
  }

  @Test
  void twoThatAreClosedInOppositeOrdersDoNotMixUp() {
    assertThat(words(0, 70).tell(List.of(1))).isNull();
    assertThat(await(words(1, 71), 0)).isNotNull(); // rank 0 still reads under that one
    assertThat(words(0, 71).tell(List.of(1))).isNull();
    assertThat(await(words(1, 71), 0)).isNull();
    assertThat(await(words(1, 70), 0)).isNull();
  }

  @Test
  void allAreToldThoughOneIsNotReached() {
    unreached.add(1);
    unreached.add(2);
    BootstrapException failure = words(0, 70).tell(List.of(1, 2, 3));
    assertThat(failure).hasMessage("no way to rank 1");
    assertThat(await(words(3, 70), 0)).isNull();
  }

  @Test
  void oneThatHasLeftNeedsNoWordAndGivesNone() {
    left.add(1);
    unreached.add(1);
    assertThat(words(0, 70).tell(List.of(1))).isNull();
    assertThat(await(words(0, 70), 1)).isNull();
  }
}
