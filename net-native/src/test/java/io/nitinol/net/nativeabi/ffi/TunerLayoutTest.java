// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Protocol;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tables of tuners are what the C header says: every slot, parameter list, offset and size. */
class TunerLayoutTest {
  private final AbiProbe probe = new AbiProbe("nccl_tuner_abi", "nitinol.test.tuner.header");
  private final Map<String, Long> ours = new TreeMap<>();

  @Test
  void tablesAreTheHeaders() throws Exception {
    for (StructTable<TunerFunction> table : TunerTable.all()) {
      String type = "ncclTuner_v" + table.version() + "_t";
      value("sizeof(" + type + ")", table.byteSize());
      member(type, "name", 0, 8);
      for (TunerFunction function : table.functions()) {
        member(type, function.toString(), table.offset(function), 8);
        probe.call(type, function.toString(), table.signature(function));
      }
    }
    for (int version = 5; version <= TunerTable.NEWEST; version++) {
      String domains = "ncclNvlDomainInfo_v" + version + "_t";
      value("sizeof(" + domains + ")", TunerLayout.DOMAIN_INFO_BYTES);
      member(domains, "nNvlDomains", TunerLayout.DOMAINS, 4);
      member(domains, "minRanksPerNvlDomain", TunerLayout.MIN_RANKS_PER_DOMAIN, 4);
      member(domains, "maxRanksPerNvlDomain", TunerLayout.MAX_RANKS_PER_DOMAIN, 4);
      value("sizeof(ncclTunerConstants_v" + version + "_t)", TunerLayout.CONSTANTS_BYTES);
    }
    value("NCCL_NUM_ALGORITHMS", TunerLayout.ALGORITHMS);
    value("NCCL_NUM_PROTOCOLS", TunerLayout.PROTOCOLS);
    value("NCCL_ALGO_TREE", TunerLayout.TREE);
    value("NCCL_ALGO_RING", TunerLayout.RING);
    value("NCCL_ALGO_UNDEF", TunerLayout.UNDEF);
    value("NCCL_PROTO_UNDEF", TunerLayout.UNDEF);
    value("(int)NCCL_ALGO_PROTO_IGNORE", (long) TunerLayout.IGNORE);
    value("NCCL_PROTO_LL", Protocol.LL.ordinal());
    value("NCCL_PROTO_LL128", Protocol.LL128.ordinal());
    value("NCCL_PROTO_SIMPLE", Protocol.SIMPLE.ordinal());
    value("ncclFuncBroadcast", Collective.BROADCAST.code());
    value("ncclFuncReduce", Collective.REDUCE.code());
    value("ncclFuncAllGather", Collective.ALL_GATHER.code());
    value("ncclFuncReduceScatter", Collective.REDUCE_SCATTER.code());
    value("ncclFuncAllReduce", Collective.ALL_REDUCE.code());
    assertThat(ours).hasSizeGreaterThan(70);
    assertThat(probe.answers()).isEqualTo(ours);
  }

  private void member(String type, String member, long offset, long bytes) {
    value("offsetof(" + type + ", " + member + ")", offset);
    value("sizeof(((" + type + " *)0)->" + member + ")", bytes);
  }

  private void value(String expression, long number) {
    ours.put(expression, number);
    probe.ask(expression, expression);
  }
}
