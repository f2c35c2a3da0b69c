// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.collnet.CollNetPlan;
import io.nitinol.core.transport.collnet.CollNetTerms;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.fuzz.FuzzTarget;
import java.util.Arrays;
import java.util.List;

/** The terms that the ranks exchange, and what they ask for in a split. */
public final class CommTermsTarget implements FuzzTarget {
  private static final int RANK = 3;

  @Override
  public void run(byte[] input) {
    try {
      CommTerms terms = CommTerms.fromBytes(RANK, input);
      FuzzTarget.require(terms.peer().rank() == RANK, "terms of rank " + terms.peer().rank());
      byte[] again = terms.toBytes();
      FuzzTarget.require(
          Arrays.equals(CommTerms.fromBytes(RANK, again).toBytes(), again), "other terms");
      CollNetPlan.of(
          new CollNetTerms[] {terms.collNet(), terms.collNet()},
          HostLayout.of(0, 1),
          new ChunkShape(1 << 19, 4, 1 << 15, 1 << 12, 1 << 16),
          why -> FuzzTarget.require(!why.isEmpty(), "no reason"));
      CommTerms.requireAgreement(new CommTerms[] {terms, seed(RANK)});
    } catch (CommException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
    try {
      SplitAndShrink.groupOf(1, new byte[][] {{0, 0, 0, 1, 0, 0, 0, 7}, input});
    } catch (CommException e) {
      FuzzTarget.require(e.failedRank() == 1, "another rank is to blame");
    }
  }

  private static CommTerms seed(int rank) {
    return new CommTerms(
        new PeerInfo(rank, 5, 6),
        CommTerms.PROTOCOL,
        "Socket",
        2,
        4096,
        "P2P, SHM",
        "NCCL_ALGO= NCCL_PROTO=",
        "none",
        new HostFacts(4, 0, MachineCosts.USUAL, new NetworkCosts(10, 1000), 1 << 30),
        new CollNetTerms("", 0, 0, new NetworkCosts(10, 1000), 2, 0),
        77);
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(CommTerms.class, HostFacts.class, CollNetTerms.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(seed(RANK).toBytes(), new byte[] {0, 0, 0, 1, 0, 0, 0, 2});
  }
}
