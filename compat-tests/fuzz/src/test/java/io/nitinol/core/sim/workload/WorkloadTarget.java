// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nitinol.fuzz.FuzzTarget;
import java.util.List;

/** A workload in either format, as {@code nitinol sim} reads it. */
public final class WorkloadTarget implements FuzzTarget {
  private static final int GPUS = 64;

  private static final String OURS =
      """
      # a step
      group tp0 0-7
      group dp0 0-63:8,1
      compute forward tp0 1.5ms
      all_reduce sums tp0 64M after forward
      broadcast weights all 1M root=3 after sums forward
      """;

  private static final String SIMAI =
      """
      HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 2 pp: 1 vpp: 8 ga: 1 all_gpus: 16 checkpoints: 0
      2
      one -1 1000 ALLREDUCE 64 2000 NONE 0 3000 REDUCESCATTER 129 7
      two -1 5 ALLTOALL_EP 256 5 NONE 0 5 ALLGATHER_DP_EP 64 0
      """;

  @Override
  public void run(byte[] input) {
    try {
      check(WorkloadText.parse(input, GPUS));
    } catch (WorkloadException e) {
      FuzzTarget.require(!e.getMessage().isEmpty(), "a refusal without a reason");
    }
    try {
      check(SimAiText.parse(input, GPUS));
    } catch (WorkloadException e) {
      FuzzTarget.require(!e.getMessage().isEmpty(), "a refusal without a reason");
    }
  }

  private static void check(Workload workload) {
    for (int i = 0; i < workload.nodes().size(); i++) {
      Workload.Node node = workload.nodes().get(i);
      FuzzTarget.require(node.group() < workload.groups().size(), "a node of no group");
      FuzzTarget.require(node.picos() >= 0, "a time below 0");
      for (int before : node.after()) {
        FuzzTarget.require(before < i, "a node waits for a later one");
      }
      CollectiveSpec spec = node.collective();
      if (spec != null) {
        int ranks = workload.groups().get(node.group()).gpus().length;
        FuzzTarget.require(spec.root() <= ranks, "a root that is no rank");
      }
    }
    for (Workload.Group group : workload.groups()) {
      for (int gpu : group.gpus()) {
        FuzzTarget.require(gpu >= 0 && gpu < GPUS, "a GPU that the cluster does not have");
      }
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(WorkloadText.class, SimAiText.class, WorkloadLines.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OURS.getBytes(UTF_8),
        SIMAI.getBytes(UTF_8),
        "reduce r all 4K root=1\nsendrecv s all 1G after r".getBytes(UTF_8));
  }
}
