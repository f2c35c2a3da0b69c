// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.bench.allreduce.AllReduceJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs of one job on a cluster, and what the hosts have sent during them. */
final class Sample {
  private final Cluster cluster;
  private final AllReduceJob job;
  private final List<Double> nanos = new ArrayList<>();
  private double sent;
  private double frames;

  Sample(Cluster cluster, AllReduceJob job) {
    this.cluster = cluster;
    this.job = job;
  }

  AllReduceJob job() {
    return job;
  }

  /** Runs all-reduces; a barrier before them counts as sent, too. */
  void take(long bytes, int iterations)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<Cluster.Sent> before = cluster.sent();
    nanos.add(job.run(bytes, 0, iterations, false));
    List<Cluster.Sent> after = cluster.sent();
    double reduced = (double) bytes * iterations;
    for (int host = 0; host < before.size(); host++) {
      Cluster.Sent first = before.get(host);
      Cluster.Sent last = after.get(host);
      sent = Math.max(sent, (last.bytes() - first.bytes()) / reduced);
      frames = Math.max(frames, (last.inFrames() - first.inFrames()) / reduced);
    }
  }

  /** Returns what was seen, of the worst host in the worst round. */
  CollnetComparison.Side side() {
    return new CollnetComparison.Side(sent, frames, nanos);
  }
}
