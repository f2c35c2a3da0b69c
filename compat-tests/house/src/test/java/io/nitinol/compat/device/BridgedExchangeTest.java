// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ranks whose rail exchanges slots directly, and two that must not. */
class BridgedExchangeTest {
  private static final int MIB = 1 << 20;

  /** Both ranks exchange slots directly, and the first message tells; no limit ends a wait here. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void callsThatDifferAreNamedByTheFirstMessage(boolean gathers) throws Exception {
    Map<String, String> noLimit = Map.of("NITINOL_TIMEOUT", "0");
    try (BridgedRanks ranks = new BridgedRanks("AB", noLimit)) {
      ranks.run(rank -> {
        MemorySegment memory = rank.allocate(4L * MIB);
        if (rank.number == 0) {
          DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
          rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), 2 * MIB);
        } else if (gathers) {
          rank.team.allGather(rank.stream, memory.address(), memory.address(), 2 * MIB);
        } else {
          DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
          rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), 3 * MIB);
        }
        rank.finish();
        assertThat(rank.team.failure())
            .hasMessageContaining("ranks 0 and 1 called different operations")
            .hasMessageContaining("rank 0 called all_reduce of 2097152 int8 sum")
            .hasMessageContaining(
                gathers
                    ? "rank 1 called all_gather of 2097152 int8"
                    : "rank 1 called all_reduce of 3145728 int8 sum")
            .cause()
            .isInstanceOfSatisfying(
                CommException.class,
                e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE));
        return true;
      });
    }
  }

  /** One rank's network takes no full slot, so neither exchanges slots directly. */
  @Test
  void aNetworkOfShortMessagesKeepsBothRanksFromTheDirectWay() throws Exception {
    try (BridgedRanks ranks =
        new BridgedRanks("AB", Map.of(), d -> d, rank -> rank == 0 ? null : shortMessages())) {
      ranks.run(rank -> {
        assertThat(rank.team.description()).isEqualTo("2 teams of 1, 4 slots of 1048576 bytes");
        MemorySegment memory = rank.allocate(MIB);
        DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
        memory.fill((byte) (rank.number + 1));
        rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), MIB);
        rank.finish();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, MIB - 1)).isEqualTo((byte) 3);
        assertThat(rank.team.failure()).isNull();
        return true;
      });
    }
  }

  /** A network that says of its devices that they take messages of a slot, but no header. */
  private static Net shortMessages() {
    SocketNet real = new SocketNet();
    // A plugin that the application gives is initialized by it; this context stays for the test.
    real.init(0, NetCommConfig.DEFAULT, new RecordedLog(), null);
    return (Net)
        Proxy.newProxyInstance(
            Net.class.getClassLoader(),
            new Class<?>[] {Net.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof NetProperties p ? shortMessages(p) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static NetProperties shortMessages(NetProperties p) {
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.regIsGlobal(),
        p.forceFlush(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion(),
        p.virtualDevice(),
        MIB,
        p.maxCollBytes(),
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }
}
