// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory of a caller's that the network plugin registers with one of two comms only. */
final class SwitchRegionTest {
  private final SendComm send = new SendComm() {};
  private final MemoryHandle sending = new MemoryHandle() {};
  private final List<List<Object>> deregistered = new ArrayList<>();

  private Object call(String name, Object[] arguments, Throwable failure) throws Throwable {
    return switch (name) {
      case "init" -> new NetContext() {};
      case "devices" -> 0;
      case "listen" -> new ListenComm() {};
      case "connect" -> send;
      case "accept" -> new RecvComm() {};
      case "regMr" -> {
        if (arguments[0] != send) {
          throw failure;
        }
        yield sending;
      }
      case "deregMr" -> deregistered.add(List.of(arguments));
      case "closeListen", "closeSend", "closeRecv", "finalizeContext" -> 0;
      default -> throw new AssertionError("a call of " + name);
    };
  }

  private Net failingWith(Throwable failure) {
    return (Net)
        Proxy.newProxyInstance(
            Net.class.getClassLoader(),
            new Class<?>[] {Net.class},
            (proxy, method, arguments) -> {
              Object result = call(method.getName(), arguments, failure);
              return method.getReturnType() == void.class ? null : result;
            });
  }

  @ParameterizedTest
  @MethodSource("io.nitinol.net.collnet.StagingSlotsTest#failures")
  void whatIsRegisteredForSendingOnlyIsGivenBack(Throwable failure) {
    FoundNet found = new FoundNet(failingWith(failure), 12, "a test", null);
    try (Arena arena = Arena.ofConfined();
        Carrier carrier = Carrier.open(found, 1, new RecordingLog());
        CommPair pair = new CommPair(carrier, 0)) {
      pair.connectTo(pair.handle());
      assertThat(pair.poll()).isTrue();
      Memory memory = Memory.ofHost(arena.allocate(64, 8));
      assertThatThrownBy(() -> new SwitchRegion(new CollComm() {}, pair, memory)).isSameAs(failure);
      assertThat(deregistered).containsExactly(List.of(send, sending));
    }
  }
}
