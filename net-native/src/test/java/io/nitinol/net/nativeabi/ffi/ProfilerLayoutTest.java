// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tables of profilers are what the C header says: every slot, parameter, offset and size. */
class ProfilerLayoutTest {
  private final AbiProbe probe = new AbiProbe("nccl_profiler_abi", "nitinol.test.profiler.header");
  private final Map<String, Long> ours = new TreeMap<>();

  @Test
  void tablesAreTheHeaders() throws Exception {
    for (StructTable<ProfilerFunction> table : ProfilerTable.all()) {
      String type = "ncclProfiler_v" + table.version() + "_t";
      value("sizeof(" + type + ")", table.byteSize());
      member(type, "name", 0, 8);
      for (ProfilerFunction function : table.functions()) {
        member(type, function.toString(), table.offset(function), 8);
        if (function != ProfilerFunction.RECORD_EVENT_STATE) { // an enum is no int to -Wconversion
          probe.call(type, function.toString(), table.signature(function));
        }
      }
      EventLayout layout = EventLayout.of(table.version());
      String event = "ncclProfilerEventDescr_v" + table.version() + "_t";
      value("sizeof(" + event + ")", layout.byteSize());
      for (String field : layout.fields()) {
        member(event, field, layout.offset(field), layout.size(field));
      }
      String args = "ncclProfilerEventStateArgs_v" + table.version() + "_t";
      value("(int)(sizeof(" + args + ") > " + EventLayout.STATE_ARGS_BYTES + ")", 0);
      member(args, "proxyCtrl.appendedProxyOps", 0, 4);
      if (table.version() >= 4) {
        member(args, "proxyStep.transSize", 0, 8);
        member(args, "netPlugin.data", 0, 8);
        member(args, "kernelCh.pTimer", 0, 8);
      }
    }
    value("ncclProfileGroup", EventType.GROUP.mask());
    value("ncclProfileColl", EventType.COLL.mask());
    value("ncclProfileP2p", EventType.P2P.mask());
    value("ncclProfileProxyOp", EventType.PROXY_OP.mask());
    value("ncclProfileProxyStep", EventType.PROXY_STEP.mask());
    value("ncclProfileProxyCtrl", EventType.PROXY_CTRL.mask());
    value("ncclProfileKernelCh", EventType.KERNEL_CH.mask());
    value("ncclProfileNetPlugin", EventType.NET_PLUGIN.mask());
    value("ncclProfileGroupApi", EventType.GROUP_API.mask());
    value("ncclProfileCollApi", EventType.COLL_API.mask());
    value("ncclProfileP2pApi", EventType.P2P_API.mask());
    value("ncclProfileKernelLaunch", EventType.KERNEL_LAUNCH.mask());
    value("ncclProfileCeColl", EventType.CE_COLL.mask());
    value("ncclProfileCeSync", EventType.CE_SYNC.mask());
    value("ncclProfileCeBatch", EventType.CE_BATCH.mask());
    for (EventState state : EventState.values()) {
      value("ncclProfiler" + name(state), state.code());
    }
    assertThat(ours).hasSizeGreaterThan(400);
    assertThat(probe.answers()).isEqualTo(ours);
  }

  private static String name(EventState state) {
    return switch (state) {
      case PROXY_STEP_SEND_GPU_WAIT -> "ProxyStepSendGPUWait";
      case PROXY_STEP_SEND_WAIT -> "ProxyStepSendWait";
      case PROXY_STEP_RECV_WAIT -> "ProxyStepRecvWait";
      case PROXY_STEP_RECV_FLUSH_WAIT -> "ProxyStepRecvFlushWait";
      case PROXY_STEP_RECV_GPU_WAIT -> "ProxyStepRecvGPUWait";
      case PROXY_CTRL_IDLE -> "ProxyCtrlIdle";
      case PROXY_CTRL_ACTIVE -> "ProxyCtrlActive";
      case PROXY_CTRL_SLEEP -> "ProxyCtrlSleep";
      case PROXY_CTRL_WAKEUP -> "ProxyCtrlWakeup";
      case PROXY_CTRL_APPEND -> "ProxyCtrlAppend";
      case PROXY_CTRL_APPEND_END -> "ProxyCtrlAppendEnd";
      case PROXY_OP_IN_PROGRESS -> "ProxyOpInProgress_v4";
      case PROXY_STEP_SEND_PEER_WAIT -> "ProxyStepSendPeerWait_v4";
      case NET_PLUGIN_UPDATE -> "NetPluginUpdate";
      case KERNEL_CH_STOP -> "KernelChStop";
      case GROUP_START_API_STOP -> "GroupStartApiStop";
      case GROUP_END_API_START -> "GroupEndApiStart";
    };
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
