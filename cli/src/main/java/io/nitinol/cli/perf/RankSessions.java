// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.cli.perf.device.PerfDeviceChoice;
import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.cli.perf.device.PerfDeviceSession;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.device.v1.DeviceProvider;

/** Gives each rank of this process its session: on host memory, or on a device's. */
interface RankSessions {

  /**
   * Opens a rank's session, on the thread of the rank.
   *
   * @param localRank the number of the rank on its host; -1 where it is not known, then on all
   *     ranks
   */
  PerfSession open(Communicator communicator, int localRank);

  /**
   * Returns what a rank's communicator is to be like.
   *
   * @param localRank as for {@link #open}
   */
  default CommConfig config(int localRank) {
    return CommConfig.standard();
  }

  /**
   * Finds the network, and the devices where the plan asks for some, before any rank waits for
   * another.
   *
   * @throws io.nitinol.spi.NetException when no network can be used
   * @throws io.nitinol.cli.command.CommandFailure when there are no such devices
   */
  static RankSessions of(PerfPlan plan) {
    PerfDevicePlan devices = plan.device();
    if (devices == null) {
      SelectedNet net = NetworkCheck.select();
      return (communicator, _) -> new CommunicatorSession(communicator, net);
    }
    DeviceProvider provider = PerfDeviceChoice.named(devices.provider());
    SelectedNet net = NetworkCheck.select();
    return new RankSessions() {
      @Override
      public PerfSession open(Communicator communicator, int localRank) {
        return PerfDeviceSession.open(communicator, net, provider, devices, localRank);
      }

      @Override
      public CommConfig config(int localRank) {
        return localRank < 0
            ? CommConfig.standard()
            : CommConfig.standard().withNear(PerfDeviceSession.device(provider, localRank).pciId());
      }
    };
  }
}
