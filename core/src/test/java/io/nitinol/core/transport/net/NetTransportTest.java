// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.log.LastWarning;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NetTransportTest {
  private final MemoryNet memory = new MemoryNet(1);

  /** Four devices, of which those in {@code host} take host memory. */
  private final NetContext context = MemoryNet.context(memory);

  private Net devices(int... host) {
    return new DelegatingNet(memory) {
      @Override
      public int devices() {
        return 4;
      }

      @Override
      public NetProperties getProperties(int device) {
        int pointers = PointerType.CUDA.mask();
        for (int i : host) {
          pointers |= i == device ? PointerType.HOST.mask() : 0;
        }
        return MemoryNet.device("dev" + device, null, device, pointers, 1, 0, 0, 1, 1);
      }
    };
  }

  @Test
  void channelsUseTheDevicesThatTakeHostMemory() {
    try (Arena arena = Arena.ofConfined()) {
      NetTransport transport = new NetTransport(devices(1, 3), context, arena);
      assertThat(transport.device(0)).isEqualTo(1);
      assertThat(transport.device(1)).isEqualTo(3);
      assertThat(transport.device(2)).isEqualTo(1);
      assertThat(transport.describe(1)).contains("device 3 (dev3)");
    }
  }

  @Test
  void channelsTakeTheNearDevicesInTheirOrder() {
    try (Arena arena = Arena.ofConfined()) {
      NetTransport transport =
          new NetTransport(devices(0, 1, 3), context, arena, false, List.of(3, 2, 1));
      assertThat(transport.device(0)).isEqualTo(3);
      assertThat(transport.device(1)).as("2 takes no host memory").isEqualTo(1);
      assertThat(transport.device(2)).isEqualTo(3);
      NetTransport all = new NetTransport(devices(0, 1), context, arena, false, List.of(2));
      assertThat(all.device(1)).as("the only near one takes no host memory").isEqualTo(1);
    }
  }

  @Test
  void aWarningInACallIsAboutItsPeer() {
    LastWarning log = new LastWarning(new RecordedLog());
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(
              NetContext context,
              int device,
              MemorySegment handle,
              @Nullable DeviceHandle[] deviceHandle) {
            log.warn("test", "no way to " + handle.get(ValueLayout.JAVA_BYTE, 0));
            return null;
          }
        };
    try (Arena arena = Arena.ofConfined()) {
      NetTransport transport = new NetTransport(net, context, arena);
      transport.hear(log);
      long begin = System.nanoTime();
      assertThat(transport.send(0, 1, Connectors.Use.COLLECTIVE, 1024, handle(1)).poll()).isNull();
      assertThat(transport.warningSince(1, begin)).isEqualTo("no way to 1");
      assertThat(transport.warningSince(2, begin)).isNull();
      assertThat(transport.send(0, 2, Connectors.Use.COLLECTIVE, 1024, handle(2)).poll()).isNull();
      assertThat(transport.warningSince(2, begin)).isEqualTo("no way to 2");
      assertThat(transport.warningSince(1, begin)).isEqualTo("no way to 1");
      long later = System.nanoTime();
      assertThat(transport.warningSince(1, later + 1)).isNull();
      log.warn("test", "the port is down"); // by no call about a peer
      assertThat(transport.warningSince(1, begin)).isEqualTo("the port is down");
      assertThat(transport.warningSince(3, begin)).isEqualTo("the port is down");
    }
  }

  private static byte[] handle(int peer) {
    byte[] handle = new byte[Net.HANDLE_MAXSIZE];
    handle[0] = (byte) peer;
    return handle;
  }

  @Test
  void withoutSuchADeviceAllAreNamed() {
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> new NetTransport(devices(), context, arena))
          .isInstanceOf(NetException.class)
          .hasMessageContaining("dev0")
          .hasMessageContaining("dev3")
          .hasMessageContaining("NCCL_NET");
    }
  }
}
