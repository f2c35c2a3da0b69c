// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.util.List;

/** What the ranks tell each other of their devices, and of how they have joined their teams. */
public final class DevicePlacementTarget implements FuzzTarget {
  private static final int RANK = 1;

  private static final DevicePlacement OWN =
      new DevicePlacement(7, "cuda", "GPU-1", true, true, List.of("GPU-2"), "");

  private static final DevicePlacement OTHER =
      new DevicePlacement(8, "cuda", "GPU-2", true, true, List.of("GPU-1", "GPU-3"), "");

  @Override
  public void run(byte[] input) {
    try {
      DevicePlacement said = DevicePlacement.fromBytes(RANK, input);
      FuzzTarget.require(
          DevicePlacement.fromBytes(RANK, said.toBytes()).equals(said), "another placement");
      List<DevicePlacement> all = List.of(OWN, said);
      DevicePlacement.requireAgreement(all);
      TeamPartition partition =
          TeamPartition.of(List.of(new PeerInfo(0, 1, 1), new PeerInfo(1, 1, 2)), all, false);
      FuzzTarget.require(partition.members().getFirst().contains(0), "rank 0 is in no team");
    } catch (CommException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
    try {
      JoinOutcome worst = JoinOutcome.worst(new byte[][] {JoinOutcome.of(null).toBytes(), input});
      FuzzTarget.require(worst.failure() == null || worst.rank() == RANK, "another rank failed");
    } catch (CommException e) {
      FuzzTarget.require(e.failedRank() == RANK, "another rank is to blame");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(DevicePlacement.class, JoinOutcome.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OTHER.toBytes(),
        new DevicePlacement(0, "none", "none", false, false, List.of(), "it is gone").toBytes(),
        JoinOutcome.of(null).toBytes(),
        JoinOutcome.of(new DeviceException(DeviceFailure.IPC_REFUSED, "no right")).toBytes());
  }
}
