// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.config;

import static io.nitinol.spi.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import io.nitinol.toolkit.connect.Features;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IbVariablesTest {

  @Test
  void declaredOnceUnderNamesOfNccl() {
    IbVariables catalog = new IbVariables();
    assertThat(catalog.owner()).isEqualTo("net-ib");
    assertThat(catalog.variables()).extracting(Variable::name).doesNotHaveDuplicates();
    assertThat(catalog.variables())
        .extracting(Variable::name)
        .allMatch(n ->
            n.matches("(NCCL|NITINOL)_IB_[A-Z_]+")
                || List.of("NCCL_GDR_FLUSH_DISABLE", "NCCL_NET_FORCE_MERGE").contains(n));
  }

  @Test
  void foundByServiceLoader() {
    IbVariablesTest.class.getModule().addUses(VariableCatalog.class);
    assertThat(ServiceLoader.load(VariableCatalog.class).stream())
        .anyMatch(p -> p.type().equals(IbVariables.class));
  }

  @Test
  void defaultsAreThoseOfTheNewestNccl() {
    IbOptions options = IbOptions.read(Settings.of(Map.of()));
    assertThat(options)
        .isEqualTo(
            new IbOptions(
                new IbOptions.PortOptions(null, "", -1, 1, false, "", 2, 0, -2, true, true, ""),
                new ConnectOptions(
                    "IB",
                    new Bound(Integer.MAX_VALUE, "NITINOL_IB_CONNECT_MSEC"),
                    new Bound(100, "NITINOL_IB_CONNECT_MSEC"),
                    new Bound(50_000, "NITINOL_IB_CONNECT_MSEC"),
                    new Bound(30_000, "NITINOL_IB_HANDSHAKE_MSEC"),
                    new Bound(256, "NITINOL_IB_HALF_OPEN"),
                    0,
                    0,
                    Features.NONE),
                10,
                new IbOptions.ConnectionOptions(
                    20, 7, 0, 0, 0, 0, 1, false, 34, 100_000_000L, true),
                new IbOptions.TransferOptions(false, false, 8192),
                2,
                false,
                true,
                true,
                600_000));
  }

  @Test
  void eachVariableChangesSomething() {
    Map<String, String> others =
        Map.of(
            "NCCL_IB_ADDR_FAMILY", "AF_INET6",
            "NCCL_IB_ADDR_RANGE", "10.0.0.0/8",
            "NCCL_IB_HCA", "mlx5",
            "NCCL_NET_FORCE_MERGE", "a,b",
            "NCCL_IB_ROCE_VERSION_NUM", "1");
    IbOptions usual = IbOptions.read(Settings.of(Map.of()));
    for (Variable<?> variable : new IbVariables().variables()) {
      String other =
          others.getOrDefault(
              variable.name(), variable.fallback() instanceof Boolean on ? on ? "0" : "1" : "3");
      other =
          variable.form().contains("-2 to 1") || variable.form().contains("0 to 2") ? "1" : other;
      assertThat(IbOptions.read(Settings.of(Map.of(variable.name(), other))))
          .as("%s=%s", variable, other)
          .isNotEqualTo(usual);
    }
  }

  @Test
  void theTrafficClassOfDataIsThatOfClearToSendUnlessItHasItsOwn() {
    IbOptions both = IbOptions.read(Settings.of(Map.of("NCCL_IB_TC", "106")));
    assertThat(both.connection().trafficClass()).isEqualTo(106);
    assertThat(both.connection().fifoTrafficClass()).isEqualTo(106);
    IbOptions own =
        IbOptions.read(Settings.of(Map.of("NCCL_IB_TC", "106", "NCCL_IB_FIFO_TC", "0x18")));
    assertThat(own.connection().trafficClass()).isEqualTo(106);
    assertThat(own.connection().fifoTrafficClass()).isEqualTo(24);
  }

  @Test
  void theCommunicatorSaysWhatTheVariablesLeaveOpen() {
    Settings open = Settings.of(Map.of());
    assertThat(IbOptions.read(open, -1)).isEqualTo(IbOptions.read(open));
    assertThat(classes(IbOptions.read(open, 5))).containsExactly(5, 5, 5);
    assertThat(classes(IbOptions.read(open, 15))).containsExactly(15, 15, 15);
    assertThat(classes(IbOptions.read(open, 16))).as("no service level").containsExactly(0, 16, 16);
    assertThat(classes(IbOptions.read(open, 255))).containsExactly(0, 255, 255);
    Settings set =
        Settings.of(Map.of("NCCL_IB_SL", "3", "NCCL_IB_TC", "106", "NCCL_IB_FIFO_TC", "0"));
    assertThat(classes(IbOptions.read(set, 5))).containsExactly(3, 106, 0);
    assertThat(classes(IbOptions.read(Settings.of(Map.of("NCCL_IB_SL", "0")), 5)))
        .containsExactly(0, 5, 5);
    for (int none : new int[] {-2, 256, Integer.MAX_VALUE}) {
      assertFails(
          ResultCode.INVALID_USAGE, () -> IbOptions.read(open, none), "traffic class " + none);
    }
  }

  private static List<Integer> classes(IbOptions options) {
    IbOptions.ConnectionOptions how = options.connection();
    return List.of(how.serviceLevel(), how.trafficClass(), how.fifoTrafficClass());
  }

  static Stream<Arguments> badValues() {
    return Stream.of(
            "NCCL_IB_TIMEOUT=32",
            "NCCL_IB_TIMEOUT=-1",
            "NCCL_IB_RETRY_CNT=8",
            "NCCL_IB_GID_INDEX=three",
            "NCCL_IB_ADDR_FAMILY=AF_UNIX",
            "NCCL_IB_ROCE_VERSION_NUM=3",
            "NCCL_IB_SL=16",
            "NCCL_IB_TC=256",
            "NCCL_IB_FIFO_TC=-2",
            "NCCL_IB_PKEY=65536",
            "NCCL_IB_QPS_PER_CONNECTION=0",
            "NCCL_IB_QPS_PER_CONNECTION=129",
            "NCCL_IB_AR_THRESHOLD=-1",
            "NCCL_IB_ADAPTIVE_ROUTING=2",
            "NCCL_IB_PCI_RELAXED_ORDERING=3",
            "NCCL_IB_MERGE_NICS=yes",
            "NCCL_IB_MQP_RETRY_CNT=-1")
        .map(text -> Arguments.of((Object[]) text.split("=")));
  }

  @ParameterizedTest(name = "{0}={1}")
  @MethodSource("badValues")
  void aBadValueIsNamedWithWhatWasExpected(String name, String value) {
    Settings settings = Settings.of(Map.of(name, value));
    List<String> warnings = new ArrayList<>();
    settings.warnTo(warnings::add);
    assertThat(IbOptions.read(settings)).isEqualTo(IbOptions.read(Settings.of(Map.of())));
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains(name + "=" + value, "expected", "using the default");
  }
}
