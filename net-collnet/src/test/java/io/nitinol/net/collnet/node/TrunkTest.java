// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The last answers of a parent, whose two connections end in any order. */
final class TrunkTest {
  private static final int SEGMENT = 64;

  private final SendComm up = new SendComm() {};
  private final RecvComm down = new RecvComm() {};
  private final Queue<Request> receives = new ArrayDeque<>();
  private int answers;
  private boolean upClosed;
  private boolean downClosed;

  private final Net net =
      (Net)
          Proxy.newProxyInstance(
              Net.class.getClassLoader(),
              new Class<?>[] {Net.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "regMr" -> new MemoryHandle() {};
                    case "supports" -> false;
                    case "isend" -> {
                      check(upClosed);
                      yield new Request() {};
                    }
                    case "irecv" -> {
                      check(downClosed);
                      Request request = new Request() {};
                      receives.add(request);
                      yield request;
                    }
                    case "test" -> test((Request) arguments[0], (int[]) arguments[1]);
                    default -> throw new AssertionError("a call of " + method);
                  });

  private static void check(boolean closed) {
    if (closed) {
      throw new NetException(ResultCode.REMOTE_ERROR, "closed by the test");
    }
  }

  private boolean test(Request request, int[] sizes) {
    if (sizes == null) {
      check(upClosed);
      return true;
    }
    if (answers == 0 || !request.equals(receives.peek())) {
      check(downClosed);
      return false;
    }
    answers--;
    receives.remove();
    sizes[0] = SEGMENT;
    return true;
  }

  private final Trunk trunk =
      new Trunk(net, up, down, Arena.global().allocate(8), SEGMENT, new SwitchTraffic());
  private final SegmentResult[] ring = new SegmentResult[8];

  TrunkTest() {
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new SegmentResult(0, 0, 0, 0, 1);
      ring[i].op.allReduce(0, 1 << 20, DataType.INT8, ReductionOp.SUM);
      ring[i].segment = i;
      ring[i].upLength = SEGMENT;
      ring[i].answerLength = SEGMENT;
    }
  }

  private void assertLost(long made, boolean ending) {
    assertThatThrownBy(() -> trunk.move(ring, made, ending))
        .isInstanceOf(PeerException.class)
        .hasMessage("closed by the test");
  }

  @Test
  void answersAreTakenWhenNothingGoesUpAnyMore() {
    trunk.move(ring, 3, false);
    assertThat(trunk.ready()).isZero();
    upClosed = true;
    answers = 2;
    assertLost(4, false);
    assertThat(trunk.ready()).isEqualTo(2);
    assertThat(trunk.isDownLost()).isFalse();
    answers = 1; // it was on its way when the parent closed the other connection
    assertThat(trunk.move(ring, 4, false)).as("no second word about it").isTrue();
    assertThat(trunk.ready()).isEqualTo(3);
  }

  @Test
  void answersThatCameBeforeTheEndAreTaken() {
    trunk.move(ring, 3, false);
    downClosed = true;
    answers = 2;
    assertLost(4, false); // there is no receive any more for the fourth
    assertThat(trunk.ready()).isEqualTo(2);
    assertThat(trunk.isDownLost()).isTrue();
    trunk.move(ring, 4, false);
    assertThat(trunk.ready()).isEqualTo(2);
  }

  @Test
  void itIsNoNewsThatAFailedGroupsWayUpIsClosed() {
    trunk.move(ring, 3, false);
    upClosed = true;
    trunk.move(ring, 4, true);
    answers = 3;
    assertThat(trunk.move(ring, 4, true)).isTrue();
    assertThat(trunk.ready()).isEqualTo(3);
    downClosed = true;
    assertLost(4, true);
  }
}
