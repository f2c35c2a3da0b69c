// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

/**
 * nccl-tests' pattern: the further on a rank is, the more it gets, and nothing goes to the sender
 * itself; all ranks send and get the same in total.
 *
 * @param spread from 0, where all get the same, to 1
 */
record WeightedTraffic(double spread) implements PerfTraffic {

  @Override
  public long elements(PerfJob job, int from, int to) {
    int ranks = job.ranks();
    double total = (double) job.count() * ranks * job.type().size();
    double bytes = total;
    if (ranks > 1) {
      double distances = ranks * (ranks - 1.0) / 2;
      double weighted = Math.floorMod(to - from, ranks) * total / distances;
      bytes = (1 - spread) * (total / ranks) + spread * weighted;
    }
    return Blocks.aligned(bytes) / job.type().size();
  }

  @Override
  public boolean isFixed() {
    return false;
  }
}
