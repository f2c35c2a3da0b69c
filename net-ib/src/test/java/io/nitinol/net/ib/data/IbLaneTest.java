// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.SendRequests;
import io.nitinol.net.ib.verbs.StandIn;
import io.nitinol.net.ib.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How full a send queue is, on queue pairs of no device. */
class IbLaneTest {
  private static final int DEPTH = 8;

  private final Arena arena = Arena.ofShared();
  private final SendRequests chain = new SendRequests(arena, 4);

  @AfterEach
  void free() {
    arena.close();
  }

  private IbLane lane(QueuePair pair, int depth) {
    return new IbLane(3, 1, 0, pair, 7, depth);
  }

  private IbLane lane() {
    return lane(StandIn.taking(arena), DEPTH);
  }

  @Test
  void whatIsPostedTakesRoomUntilItHasCompleted() {
    IbLane lane = lane();
    long[] ids = new long[DEPTH];
    for (int i = 0; i < DEPTH; i++) {
      assertThat(lane.room()).isEqualTo(DEPTH - i);
      ids[i] = lane.id(WorkId.DATA, 0, 0);
      lane.post(chain, 1);
    }
    assertThat(lane.room()).isZero();
    lane.retire(ids[0]);
    assertThat(lane.room()).isEqualTo(1);
    lane.retire(ids[DEPTH - 1]);
    assertThat(lane.room()).isEqualTo(DEPTH);
  }

  /** Of those that were not signalled no completion comes. */
  @Test
  void aCompletionIsOneOfAllBeforeIt() {
    IbLane lane = lane();
    long third = 0;
    for (int i = 0; i < 5; i++) {
      third = i == 2 ? lane.id(WorkId.DATA, 0, 0) : third;
      lane.post(chain, 1);
    }
    lane.retire(third);
    assertThat(lane.room()).isEqualTo(DEPTH - 2);
  }

  /** As when those of a failed queue are polled from two completion queues. */
  @Test
  void anOlderCompletionTakesNothingBack() {
    IbLane lane = lane();
    long first = lane.id(WorkId.DATA, 0, 0);
    lane.post(chain, 1);
    long second = lane.id(WorkId.DATA, 0, 0);
    lane.post(chain, 1);
    lane.retire(second);
    lane.retire(first);
    assertThat(lane.room()).isEqualTo(DEPTH);
  }

  @Test
  void theRequestsOfAChainHaveNumbersOfTheirOwn() {
    IbLane lane = lane();
    lane.post(chain, 2);
    for (int ahead = 0; ahead < 3; ahead++) {
      long id = lane.id(WorkId.LAST, 7, ahead);
      assertThat(WorkId.posted(id)).isEqualTo(2 + ahead + 1);
      assertThat(WorkId.lane(id)).isEqualTo(3);
      assertThat(WorkId.generation(id)).isEqualTo(7);
      assertThat(WorkId.slot(id)).isEqualTo(7);
      assertThat(WorkId.kind(id)).isEqualTo(WorkId.LAST);
    }
    long middle = lane.id(WorkId.DATA, 0, 1);
    lane.post(chain, 3);
    assertThat(lane.room()).isEqualTo(DEPTH - 5);
    lane.retire(middle);
    assertThat(lane.room()).isEqualTo(DEPTH - 1);
  }

  /** A queue may stand full, but never without a completion to come. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 100})
  void aFullQueueHasASignalledRequest(int depth) {
    IbLane lane = lane(StandIn.taking(arena), depth);
    long signaled = 0;
    int retired = 0;
    for (int i = 1; i <= 10 * depth; i++) {
      if (lane.room() == 0) {
        assertThat(WorkId.posted(signaled))
            .as("the youngest that completes")
            .isGreaterThan(retired);
        retired = WorkId.posted(signaled);
        lane.retire(signaled);
      }
      assertThat(lane.room()).isPositive();
      if (lane.signalDue()) {
        lane.signaled();
        signaled = lane.id(WorkId.DATA, 0, 0);
      }
      lane.post(chain, 1);
    }
  }

  @Test
  void signalsAreAsRareAsTheyMayBe() {
    IbLane lane = lane();
    int signals = 0;
    for (int i = 0; i < 100 * DEPTH; i++) {
      if (lane.signalDue()) {
        lane.signaled();
        signals++;
      }
    }
    assertThat(signals).isEqualTo(200);
  }

  @Test
  void theNumbersCountAround() {
    IbLane lane = lane();
    lane.retire(completionOf(Integer.MAX_VALUE));
    int room = lane.room();
    lane.retire(completionOf(Integer.MIN_VALUE + 5));
    assertThat(lane.room() - room).as("completed since").isEqualTo(6);
    lane.retire(completionOf(Integer.MAX_VALUE));
    assertThat(lane.room() - room).as("a completion of before").isEqualTo(6);
  }

  private static long completionOf(int posted) {
    return WorkId.of(WorkId.DATA, 3, 7, 0, posted);
  }

  /** Where it is cut for a post it is whole again afterwards: nobody else writes the links. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChainIsWholeAfterwards(boolean taken) {
    MemorySegment memory = arena.allocate(1024, 64);
    SendRequests four = new SendRequests(SegmentAllocator.slicingAllocator(memory), 4);
    for (int i = 0; i < 3; i++) {
      four.next(i, i + 1);
    }
    MemorySegment before = arena.allocate(memory.byteSize()).copyFrom(memory);
    IbLane lane = lane(taken ? StandIn.taking(arena) : StandIn.refusing(arena), DEPTH);
    for (int count : new int[] {1, 2, 3, 4}) {
      if (taken) {
        lane.post(four, count);
      } else {
        assertThatThrownBy(() -> lane.post(four, count)).isInstanceOf(VerbsException.class);
      }
      assertThat(memory.mismatch(before)).as("after %s", count).isEqualTo(-1);
    }
  }

  /** The comm has failed then; nothing may look as if there were room for what is on the queue. */
  @Test
  void whatIsRefusedCounts() {
    IbLane lane = lane(StandIn.refusing(arena), DEPTH);
    assertThatThrownBy(() -> lane.post(chain, 3))
        .isInstanceOf(VerbsException.class)
        .hasMessageContainingAll("ibv_post_send", "none0", "queue pair 17");
    assertThat(lane.room()).isEqualTo(DEPTH - 3);
  }
}
