// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.config.MisspeltNames.Found;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MisspeltNamesTest {
  private static final VariableTable TABLE =
      new VariableTable(
          List.of(
              new VariableCatalog() {
                @Override
                public String owner() {
                  return "test";
                }

                @Override
                public List<Variable<?>> variables() {
                  return List.of(
                      text("NITINOL_SOCKET_TLS"),
                      text("NITINOL_TIMEOUT"),
                      text("NCCL_IB_HCA"),
                      text("NCCL_IB_GID_INDEX"),
                      text("NCCL_SOCKET_IFNAME"),
                      text("NCCL_BUFFSIZE"),
                      text("NCCL_P2P_DISABLE"),
                      text("NCCL_NET"));
                }
              }));

  private static Variable<String> text(String name) {
    return Variable.text(name, "text", "", "Something.");
  }

  private static List<Found> in(String name) {
    return MisspeltNames.in(Settings.of(Map.of(name, "secret")), TABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "NITINOL_SOCKET_TSL, NITINOL_SOCKET_TLS, true",
    "NITINOL_TLS, NITINOL_SOCKET_TLS, true",
    "NCCL_IB_HAC, NCCL_IB_HCA, true",
    "NCCL_IB_GID_INDX, NCCL_IB_GID_INDEX, true",
    "NCCL_SOKCET_IFNAME, NCCL_SOCKET_IFNAME, true",
    "NCCL_BUFSIZE, NCCL_BUFFSIZE, false",
  })
  void aNameNearADeclaredOneIsTold(String name, String meant, boolean grave) {
    assertThat(in(name))
        .containsExactly(
            new Found(
                name + " is set, and no part of Nitinol reads it; did you mean " + meant + "?",
                grave));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL_IB_HCA",
        "NITINOL_MYNET_TIMEOUT", // may be a plugin's own
        "NCCL_MYNET_IFNAME",
        "NCCL_P2P_LEVEL",
        "NCCL_LL_BUFFSIZE",
        "NCCL_PXN_DISABLE",
        "NCCL_TESTS_DEVICE",
        "NITINOL_ZZZZZZZZZZZZ"
      })
  void whatIsDeclaredOrOfOthersIsNot(String name) {
    assertThat(in(name)).isEmpty();
  }

  /** Names that NCCL reads are no mistakes here, however close the table comes to them. */
  @Test
  void noNameOfNcclIsTakenForAMistake() {
    Settings settings =
        Settings.of(
            Map.of(
                "NCCL_LL128_BUFFSIZE",
                "1",
                "NCCL_MAX_NRINGS",
                "1",
                "NCCL_NET_GDR_LEVEL",
                "1",
                "NCCL_NET_GDR_READ",
                "1",
                "NCCL_MIN_P2P_NCHANNELS",
                "1",
                "NCCL_SHM_LOCALITY",
                "1",
                "NCCL_PROFILER_PLUGIN",
                "x",
                "NCCL_DMABUF_ENABLE",
                "1",
                "NCCL_CROSS_NIC",
                "1"));
    assertThat(MisspeltNames.in(settings, VariableTable.installed())).isEmpty();
  }
}
