// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A member's own memory, where the network plugin does not register it. */
final class StagingSlotsTest {
  static List<Throwable> failures() {
    return List.of(
        new NetException(ResultCode.SYSTEM_ERROR, "by the test"),
        new IllegalStateException("by the test"),
        new LinkageError("by the test"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatCannotBeRegisteredIsFreed(Throwable failure) {
    List<MemorySegment> given = new ArrayList<>();
    Net net =
        (Net)
            Proxy.newProxyInstance(
                Net.class.getClassLoader(),
                new Class<?>[] {Net.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("regMr");
                  given.add(((Memory) arguments[1]).segment());
                  throw failure;
                });
    assertThatThrownBy(() -> new StagingSlots(net, new SendComm() {}, 64, 2)).isSameAs(failure);
    assertThat(given)
        .singleElement()
        .satisfies(memory -> assertThat(memory.scope().isAlive()).isFalse());
  }
}
