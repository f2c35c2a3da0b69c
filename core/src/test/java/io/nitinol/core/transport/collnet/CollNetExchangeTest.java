// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.kernel.ThreadAllocation;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A head's two ends of its connection with a collective network. */
class CollNetExchangeTest {
  private static final int CAPACITY = 512;

  private final Arena arena = Arena.ofShared();
  private final StillCollNet net = new StillCollNet();
  private final CollNetExchange exchange =
      new CollNetExchange(net, StillCollNet.COMM, new Slots(arena, CAPACITY), 7);
  private final CollNetSend send = new CollNetSend(exchange);
  private final CollNetReceive receive = new CollNetReceive(exchange);

  @AfterEach
  void free() {
    arena.close();
  }

  private void send(int bytes, long word) {
    MessageHeader.write(send.memory(), send.offset(), word, bytes);
    send.send(bytes);
  }

  @Test
  void aMessageComesBackInItsSlotWithItsHeader() {
    send.reduces(DataType.FLOAT32, ReductionOp.AVG.code());
    send(400, 1234);
    assertThat(receive.ready()).isFalse();
    assertThat(send.progress()).isEqualTo(1);
    assertThat(net.count).isEqualTo(100);
    assertThat(net.type).isEqualTo(DataType.FLOAT32);
    assertThat(net.op).as("an average is a sum for the network").isEqualTo(ReductionOp.SUM);
    assertThat(net.inPlace).isTrue();
    assertThat(receive.progress()).isZero();
    assertThat(send.isDrained()).isFalse();
    net.ended = 1;
    assertThat(receive.progress()).isEqualTo(1);
    assertThat(receive.ready()).isTrue();
    assertThat(receive.size()).isEqualTo(400 + MessageHeader.BYTES);
    assertThat(receive.headerWord()).isEqualTo(1234);
    assertThat(receive.headerCountWord()).isEqualTo(400);
    assertThat(send.isDrained()).isTrue();
    receive.release();
    assertThat(receive.ready()).isFalse();
  }

  @Test
  void aSlotIsTakenUntilItsResultHasBeenUsed() {
    for (int i = 0; i < Slots.COUNT; i++) {
      assertThat(send.hasRoom()).isTrue();
      send(8, i);
    }
    assertThat(send.hasRoom()).isFalse();
    send.progress();
    net.ended = 1;
    receive.progress();
    assertThat(send.hasRoom()).as("the result lies there").isFalse();
    receive.release();
    assertThat(send.hasRoom()).isTrue();
    assertThat(send.seemsToHaveRoom()).isTrue();
  }

  @Test
  void anOperationThatFindsNoRoomIsStartedLater() {
    net.room = 2;
    for (int i = 0; i < 4; i++) {
      send(8, i);
    }
    assertThat(send.progress()).isEqualTo(2);
    assertThat(send.progress()).isZero();
    net.ended = 4;
    assertThat(receive.progress()).isEqualTo(2);
    assertThat(send.progress()).isEqualTo(2);
    assertThat(receive.progress()).isEqualTo(2);
    for (int i = 0; i < 4; i++) {
      assertThat(receive.headerWord()).isEqualTo(i);
      receive.release();
    }
  }

  @Test
  void itIsLeftOnceByWhicheverEnd() {
    assertThat(net.registrations).isEqualTo(1);
    receive.close();
    send.close();
    assertThat(net.registrations).isZero();
    assertThat(net.left).isTrue();
  }

  @Test
  void nothingIsAllocatedForAMessage() throws Throwable {
    net.ended = Integer.MAX_VALUE;
    long allocated = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 100 && allocated >= 10_000; attempt++) {
      long before = ThreadAllocation.bytes();
      for (int i = 0; i < 10_000; i++) {
        send.reduces(DataType.INT32, i & 7);
        send(64, i);
        send.progress();
        receive.progress();
        receive.release();
      }
      allocated = ThreadAllocation.bytes() - before;
    }
    assertThat(allocated).as("bytes for 10,000 messages").isLessThan(10_000);
  }

  @Test
  void whatTheNetworkReducesIsWhatAllHeadsSay() {
    RecordedLog log = new RecordedLog();
    NetworkReductions mine = NetworkReductions.of(net, log);
    assertThat(mine.reduces(DataType.INT8, ReductionOp.MAX.code())).isTrue();
    assertThat(mine.reduces(DataType.INT8, ReductionOp.PROD.code())).isFalse();
    assertThat(mine.reduces(DataType.INT8, ReductionOp.AVG.code())).isTrue();
    assertThat(mine.reduces(DataType.FLOAT8E5M2, 5)).as("a pre-multiplied sum").isTrue();
    assertThat(mine.reduces(DataType.FLOAT16, ReductionOp.SUM.code()))
        .as("what cannot be asked")
        .isFalse();
    assertThat(log.lines()).anyMatch(line -> line.contains("half of the truth"));
    assertThat(mine.and(NetworkReductions.NONE)).isEqualTo(NetworkReductions.NONE);
  }
}
