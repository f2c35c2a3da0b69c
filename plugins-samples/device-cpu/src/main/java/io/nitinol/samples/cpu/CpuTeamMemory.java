// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.toolkit.team.TeamMeeting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece of memory of each rank of a team, as this process sees them. */
final class CpuTeamMemory implements AutoCloseable {
  private final MemorySegment[] pieces;
  private final List<DeviceMemory> opened;

  private CpuTeamMemory(MemorySegment[] pieces, List<DeviceMemory> opened) {
    this.pieces = pieces;
    this.opened = opened;
  }

  /**
   * Opens the pieces of all ranks, each of which calls this with its own.
   *
   * @param own memory of this rank's device; null where it could not be had
   * @param failure why not
   * @throws DeviceException where a rank has failed, on every rank
   */
  static CpuTeamMemory open(
      Device device,
      TeamMeeting meeting,
      @Nullable MemorySegment own,
      @Nullable DeviceException failure) {
    byte[] handle = new byte[CpuSharedHandle.SIZE];
    DeviceException failed = failure;
    if (own != null) {
      try {
        handle = device.exportMemory(own.address(), own.byteSize());
      } catch (DeviceException e) {
        failed = e;
      }
    }
    byte[][] handles = meeting.meet(handle, failed);
    MemorySegment[] pieces = new MemorySegment[handles.length];
    List<DeviceMemory> opened = new ArrayList<>();
    CpuTeamMemory memory = new CpuTeamMemory(pieces, opened);
    boolean complete = false;
    try {
      meeting.agree(memory.openAll(device, meeting.rank(), own, handles));
      complete = true;
      return memory;
    } finally {
      if (!complete) {
        memory.close();
      }
    }
  }

  private @Nullable DeviceException openAll(
      Device device, int rank, @Nullable MemorySegment own, byte[][] handles) {
    try {
      long size = CpuSharedHandle.decode(handles[rank]).size();
      for (int r = 0; r < handles.length; r++) {
        if (CpuSharedHandle.decode(handles[r]).size() != size) {
          return CpuFailures.invalid(
              "this piece has %d bytes, that of rank %d another number", size, r);
        }
        if (r == rank && own != null) {
          pieces[r] = own;
        } else {
          DeviceMemory peer = device.importMemory(handles[r]);
          opened.add(peer);
          pieces[r] = Objects.requireNonNull(peer.segment());
        }
      }
      return null;
    } catch (DeviceException e) {
      return e;
    }
  }

  /** Returns the piece of a rank. */
  MemorySegment of(int rank) {
    return pieces[rank];
  }

  @Override
  public void close() {
    opened.forEach(DeviceMemory::close);
    opened.clear();
  }
}
