// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A member whose network plugin tells of results and of sends in an order of its own. */
final class SwitchMemberTest {
  private static final int COUNT = 9;

  private final Queue<Request> receives = new ArrayDeque<>();
  private int results;
  private boolean closed;

  private Object call(String name, Object[] arguments) {
    return switch (name) {
      case "init" -> new NetContext() {};
      case "devices" -> 0;
      case "supports" -> false;
      case "listen" -> new ListenComm() {};
      case "connect" -> new SendComm() {};
      case "accept" -> new RecvComm() {};
      case "regMr" -> new MemoryHandle() {};
      case "isend" -> new Request() {};
      case "irecv" -> {
        Request request = new Request() {};
        receives.add(request);
        yield request;
      }
      case "test" -> isOver((Request) arguments[0], (int[]) arguments[1]);
      case "closeListen", "closeSend", "closeRecv", "finalizeContext" -> 0;
      default -> throw new AssertionError("a call of " + name);
    };
  }

  /** Results come when the test says so; of a send nothing is ever heard. */
  private boolean isOver(Request request, int[] sizes) {
    if (!request.equals(receives.peek())) {
      return false;
    }
    if (results > 0) {
      results--;
      receives.remove();
      sizes[0] = COUNT * Integer.BYTES;
      return true;
    }
    if (closed) {
      throw new NetException(ResultCode.REMOTE_ERROR, "closed by the peer");
    }
    return false;
  }

  private final Net net =
      (Net)
          Proxy.newProxyInstance(
              Net.class.getClassLoader(),
              new Class<?>[] {Net.class},
              (proxy, method, arguments) -> {
                Object result = call(method.getName(), arguments);
                return method.getReturnType() == void.class ? null : result;
              });

  private static SwitchRequest reduce(SwitchMember member, SwitchRegion memory) {
    SwitchRequest operation = member.take();
    assertThat(operation).isNotNull();
    operation.descriptor.allReduce(member.next(), COUNT, DataType.INT32, ReductionOp.SUM);
    operation.from.set(memory, 0, COUNT * Integer.BYTES);
    operation.to.set(memory, 0, COUNT * Integer.BYTES);
    return member.start(operation, COUNT * Integer.BYTES);
  }

  @Test
  void aResultCountsThoughNothingIsHeardOfItsSendAndTheGroupEnds() {
    RecordingLog log = new RecordingLog();
    SwitchLoop loop = SwitchLoop.open("member-test", log);
    try (loop;
        Arena arena = Arena.ofConfined();
        Carrier carrier = Carrier.open(new FoundNet(net, 12, "a test", null), 1, log)) {
      CommPair pair = new CommPair(carrier, 0);
      pair.connectTo(pair.handle());
      assertThat(pair.poll()).isTrue();
      SwitchLink control = // to nobody
          loop.connect(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
              SwitchKey.random(),
              new GroupLink("unused"),
              Duration.ofSeconds(1));
      GroupLink group = new GroupLink("rank 0");
      ControlFrame.Admit admit = new ControlFrame.Admit(Segments.LEAST_BYTES, 8, pair.handle());
      SwitchMember member =
          new SwitchMember(new SwitchCollNet(), 0, 2, pair, control, group, admit, () -> {});
      SwitchRegion memory =
          member.register(Memory.ofHost(arena.allocate(COUNT * Integer.BYTES, 8)));
      SwitchRequest whole = reduce(member, memory);
      SwitchRequest lost = reduce(member, memory);
      assertThat(member.test(whole, null)).isFalse();
      results = 1;
      assertThat(member.test(whole, null)).as("its memory is still being sent from").isFalse();
      closed = true;
      group.frame(new ControlFrame.Fail(ResultCode.REMOTE_ERROR, 1, 1, "rank 1 has left"));
      int[] size = new int[1];
      assertThat(member.test(whole, size)).isTrue();
      assertThat(size[0]).isEqualTo(COUNT * Integer.BYTES);
      assertThatThrownBy(() -> member.test(lost, null)).hasMessageContaining("rank 1 has left");
      member.close();
    }
  }
}
