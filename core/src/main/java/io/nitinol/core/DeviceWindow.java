// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.device.DeviceRank;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.toolkit.thread.AnyThread;

/**
 * A buffer of each rank that collectives use in place; mirrors {@code ncclWindow_t} with {@code
 * NCCL_WIN_COLL_SYMMETRIC}. {@link DeviceCommunicator#register} makes it. Without one, data go
 * through memory of the communicator.
 *
 * <p>Where one rank passes an address in a window to a call, the others pass addresses in theirs,
 * equally far from the start. That is so for arguments that a rank does not use, too: {@code recv}
 * of a reduction to one rank, {@code send} of a broadcast.
 */
@AnyThread
public final class DeviceWindow implements AutoCloseable {
  private final DeviceBuffer buffer;
  private final DeviceRank owner;
  private final TeamWindow window;

  DeviceWindow(DeviceRank owner, DeviceBuffer buffer, TeamWindow window) {
    this.owner = owner;
    this.buffer = buffer;
    this.window = window;
  }

  /** Returns the memory of this rank. */
  public DeviceBuffer buffer() {
    return buffer;
  }

  /**
   * Closes the window on all ranks, which do so in the same order and wait for each other; mirrors
   * {@code ncclCommWindowDeregister}. Calls that use it are complete on all ranks. The memory stays
   * the caller's. After a failure it waits for nobody. A second call does nothing, nor does one
   * after the communicator is closed, which closes its windows, too.
   *
   * @throws CommException when a rank does not come in time
   */
  @Override
  public void close() {
    owner.close(window);
  }
}
