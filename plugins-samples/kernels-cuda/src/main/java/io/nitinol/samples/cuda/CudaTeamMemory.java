// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.toolkit.team.TeamMeeting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory of each rank, as this rank's device reaches it: by its address where the rank
 * is in this process, else opened by its handle.
 */
final class CudaTeamMemory implements AutoCloseable {
  private final long[] addresses;

  /** Where each rank found this rank's piece. */
  private final long[] seen;

  private final List<DeviceMemory> opened;

  private CudaTeamMemory(long[] addresses, long[] seen, List<DeviceMemory> opened) {
    this.addresses = addresses;
    this.seen = seen;
    this.opened = opened;
  }

  /**
   * Gives each rank the pieces of all, and tells it where the others find its own. All ranks call
   * it.
   *
   * @param devices the device of each rank of this process, null for other ranks
   * @param address this rank's piece, of memory of the device
   * @param size its size
   * @param failure why this rank has no piece, or null
   * @throws DeviceException on all ranks alike; then nothing is open
   */
  static CudaTeamMemory open(
      Device device,
      TeamMeeting meeting,
      List<@Nullable Device> devices,
      long address,
      long size,
      @Nullable DeviceException failure) {
    DeviceException problem = failure;
    ByteBuffer mine =
        ByteBuffer.allocate(
            2 * Long.BYTES + (meeting.spansProcesses() ? CudaSharedHandle.SIZE : 0));
    mine.putLong(address).putLong(size);
    if (problem == null && meeting.spansProcesses()) {
      try {
        mine.put(device.exportMemory(address, size));
      } catch (DeviceException e) {
        problem = e;
      }
    }
    byte[][] all = meeting.meet(mine.array(), problem);
    List<DeviceMemory> opened = new ArrayList<>();
    boolean complete = false;
    try {
      long[] addresses = new long[meeting.ranks()];
      long[] seen = new long[meeting.ranks()];
      try {
        for (int r = 0; r < addresses.length; r++) {
          addresses[r] =
              r == meeting.rank() ? address : reach(device, devices.get(r), all[r], size, opened);
        }
      } catch (DeviceException e) {
        problem = e;
      }
      ByteBuffer found = ByteBuffer.allocate(Long.BYTES * addresses.length);
      found.asLongBuffer().put(addresses);
      byte[][] told = meeting.meet(found.array(), problem);
      for (int r = 0; r < seen.length; r++) {
        seen[r] = ByteBuffer.wrap(told[r]).getLong(Long.BYTES * meeting.rank());
      }
      complete = true;
      return new CudaTeamMemory(addresses, seen, opened);
    } finally {
      if (!complete) {
        closeAll(opened); // what failed before is thrown
      }
    }
  }

  private static long reach(
      Device device, @Nullable Device peer, byte[] theirs, long size, List<DeviceMemory> opened) {
    ByteBuffer bytes = ByteBuffer.wrap(theirs);
    long address = bytes.getLong();
    long theirSize = bytes.getLong();
    if (theirSize != size) {
      throw CudaFailures.invalid(
          "one rank gave %d bytes and another one %d: pieces have one size", size, theirSize);
    }
    if (peer != null) {
      device.enablePeerAccess(peer);
      return address;
    }
    byte[] handle = new byte[CudaSharedHandle.SIZE];
    bytes.get(handle);
    DeviceMemory memory = device.importMemory(handle);
    opened.add(memory);
    return memory.address();
  }

  /** Returns the first byte of a rank's piece. */
  long address(int rank) {
    return addresses[rank];
  }

  /** Returns where the device of a rank finds the first byte of this rank's piece. */
  long seenBy(int rank) {
    return seen[rank];
  }

  @Override
  public void close() {
    ClosingSteps steps = closeAll(opened);
    opened.clear();
    steps.finish();
  }

  private static ClosingSteps closeAll(List<DeviceMemory> opened) {
    ClosingSteps steps = new ClosingSteps();
    for (DeviceMemory memory : opened) {
      steps.run(memory::close);
    }
    return steps;
  }
}
