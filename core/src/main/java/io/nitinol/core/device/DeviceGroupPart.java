// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.call.GroupCalls;
import io.nitinol.core.call.GroupPart;
import io.nitinol.spi.Collective;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a device communicator launches at the end of a group: all sends and receives as one
 * transfer, then the collectives in the order of their calls.
 */
@OnlyThread("group's thread")
final class DeviceGroupPart implements GroupPart {
  /** A collective whose arguments are right, as {@link DeviceLauncher#launch} takes it. */
  record Launch(
      Collective collective,
      DeviceStream stream,
      @Nullable DeviceReduction reduction,
      long src,
      long dst,
      long amount,
      int root) {}

  private final DeviceLauncher launcher;
  private final List<TeamTransfer> transfers = new ArrayList<>();
  private @Nullable DeviceStream transferStream;
  private final List<Launch> launches = new ArrayList<>();

  private DeviceGroupPart(DeviceLauncher launcher) {
    this.launcher = launcher;
  }

  /** Counts a call of a communicator; returns its part of the group. */
  static DeviceGroupPart of(GroupCalls group, DeviceLauncher launcher) {
    return (DeviceGroupPart) group.part(launcher, () -> new DeviceGroupPart(launcher));
  }

  void add(Launch launch) {
    launches.add(launch);
  }

  /** Returns the stream of the transfers so far, or null. */
  static @Nullable DeviceStream transferStream(GroupCalls group, DeviceLauncher launcher) {
    return group.known(launcher) instanceof DeviceGroupPart part ? part.transferStream : null;
  }

  void add(DeviceStream stream, List<TeamTransfer> more) {
    transferStream = stream;
    transfers.addAll(more);
  }

  @Override
  public int prepare() {
    launcher.check();
    DeviceTransfers.checkTogether("group", launcher.rank(), transfers);
    // What can be refused is refused here: behind a part of the group the streams would wait.
    if (transferStream != null) {
      launcher.checkLaunch(Collective.SEND_RECV, transferStream, null);
    }
    for (Launch each : launches) {
      if (each.amount > 0) {
        launcher.checkLaunch(each.collective, each.stream, each.reduction);
      }
    }
    return launches.size() + (transferStream == null ? 0 : 1);
  }

  @Override
  public boolean submit(int index) {
    DeviceStream stream = transferStream;
    int place = index - (stream == null ? 0 : 1);
    if (place < 0 && stream != null) {
      launcher.launch("group", stream, transfers);
      return true;
    }
    if (place >= launches.size()) {
      return false;
    }
    Launch next = launches.get(place);
    launcher.launch(
        next.collective, next.stream, next.reduction, next.src, next.dst, next.amount, next.root);
    return true;
  }

  @Override
  public void brokenOff(CommException error) {
    launcher.brokenOff(error);
  }

  @Override
  public void release() {} // what was collected holds nothing

  /** Throws where there are more transfers than one operation takes. */
  static void checkNumber(String call, int number) {
    if (number > DeviceTeam.MAX_TRANSFERS) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: %d sends and receives at once; expected at most %d, so split them into several"
                  + " groups",
              call, number, DeviceTeam.MAX_TRANSFERS));
    }
  }
}
