// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tables are what the C header says: every slot, parameter list, offset and size. */
class LayoutTest {
  private final AbiProbe probe = new AbiProbe("nccl_abi", "nitinol.test.abi.header");
  private final Map<String, Long> ours = new TreeMap<>();

  @Test
  void tablesAreTheHeaders() throws Exception {
    NetTable.all().forEach(table -> struct("ncclNet_v" + table.version() + "_t", table));
    CollNetTable.all().forEach(table -> struct("ncclCollNet_v" + table.version() + "_t", table));
    for (int version = PropertiesLayout.OLDEST; version <= NetTable.NEWEST; version++) {
      properties(version);
      if (version >= 7) {
        deviceHandle("ncclNetDeviceHandle_v" + version + "_t");
      }
      if (version >= 8) {
        piece(version);
      }
      if (version >= 9) {
        virtualDevice(version);
      }
      if (version >= 10) {
        String config = "ncclNetCommConfig_v" + version + "_t";
        member(config, "trafficClass", CommConfigLayout.TRAFFIC_CLASS, 4);
        size(config, CommConfigLayout.BYTES);
      }
      if (version >= 11) {
        attributes(version);
      }
    }
    value("NCCL_NET_OPTIONAL_RECV_COMPLETION", NcclLimits.OPTIONAL_RECV_COMPLETION);
    value("NCCL_NET_HANDLE_MAXSIZE", NcclLimits.handleSize(5));
    value("NCCL_MAX_NET_SIZE_BYTES", NcclLimits.MAX_MESSAGE);

    Map<String, Long> theirs = probe.answers();
    assertThat(ours).hasSizeGreaterThan(700);
    List<String> differences =
        ours.keySet().stream()
            .filter(name -> !Objects.equals(ours.get(name), theirs.get(name)))
            .map(name -> name + ": " + ours.get(name) + " here, " + theirs.get(name) + " in C")
            .toList();
    assertThat(differences).isEmpty();
  }

  private <F extends Enum<F>> void struct(String type, StructTable<F> table) {
    size(type, table.byteSize());
    member(type, "name", 0, 8);
    for (F function : table.functions()) {
      member(type, function.toString(), table.offset(function), 8);
      probe.call(type, function.toString(), table.signature(function));
    }
  }

  private void properties(int version) {
    String type = "ncclNetProperties_v" + version + "_t";
    PropertiesLayout layout = PropertiesLayout.of(version);
    size(type, layout.byteSize());
    for (PropertyField field : PropertyField.values()) {
      if (layout.has(field)) {
        member(type, field.member(), layout.offset(field), field.byteSize(version));
      }
    }
  }

  private void deviceHandle(String type) {
    member(type, "netDeviceType", DeviceHandleLayout.TYPE, 4);
    member(type, "netDeviceVersion", DeviceHandleLayout.VERSION, 4);
    member(type, "handle", DeviceHandleLayout.HANDLE, 8);
    member(type, "size", DeviceHandleLayout.SIZE, 8);
    member(type, "needsProxyProgress", DeviceHandleLayout.NEEDS_PROXY_PROGRESS, 4);
    size(type, DeviceHandleLayout.BYTES);
  }

  private void piece(int version) {
    String type = "ncclNetSGE_v" + version + "_t";
    member(type, "mhandle", PieceLayout.MHANDLE, 8);
    member(type, "address", PieceLayout.ADDRESS, 8);
    member(type, "size", PieceLayout.SIZE, version == 8 ? 4 : 8);
    size(type, PieceLayout.BYTES);
  }

  private void virtualDevice(int version) {
    String type = "ncclNetVDeviceProps_v" + version + "_t";
    member(type, "ndevs", VirtualDeviceLayout.NDEVS, 4);
    member(
        type, "devs", VirtualDeviceLayout.DEVS, 4L * VirtualDeviceLayout.maxDevices(version));
    size(type, VirtualDeviceLayout.byteSize(version));
  }

  private void attributes(int version) {
    String type = "ncclNetAttr_v" + version + "_t";
    member(type, "sendCommAttr", NetAttrLayout.SEND, 16);
    member(type, "recvCommAttr", NetAttrLayout.RECV, 16);
    member(type, "op", NetAttrLayout.OP, 4);
    member(type, "algo", NetAttrLayout.ALGO, 4);
    member(type, "proto", NetAttrLayout.PROTO, 4);
    size(type, NetAttrLayout.BYTES);
    String flows = "ncclNetCommAttr_v" + version + "_t";
    member(flows, "maxConcurrentPeers", NetAttrLayout.MAX_CONCURRENT_PEERS, 4);
    member(flows, "minConcurrentPeers", NetAttrLayout.MIN_CONCURRENT_PEERS, 4);
    member(flows, "maxFlowsPerPeer", NetAttrLayout.MAX_FLOWS_PER_PEER, 4);
    member(flows, "minFlowsPerPeer", NetAttrLayout.MIN_FLOWS_PER_PEER, 4);
  }

  private void size(String type, long bytes) {
    ours.put("sizeof " + type, bytes);
    probe.ask("sizeof " + type, "sizeof(" + type + ")");
  }

  private void member(String type, String member, long offset, long bytes) {
    String name = type + "." + member;
    ours.put("offsetof " + name, offset);
    probe.ask("offsetof " + name, "offsetof(%s, %s)".formatted(type, member));
    ours.put("sizeof " + name, bytes);
    probe.ask("sizeof " + name, "sizeof(((%s *)0)->%s)".formatted(type, member));
  }

  private void value(String constant, long number) {
    ours.put(constant, number);
    probe.ask(constant, constant);
  }
}
