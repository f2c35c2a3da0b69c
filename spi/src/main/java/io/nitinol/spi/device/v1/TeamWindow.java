// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * Memory of all ranks that fused collectives and transfers use in place: each rank's own piece,
 * opened by the others once. Mirrors {@code ncclWindow_t} with {@code NCCL_WIN_COLL_SYMMETRIC}.
 *
 * <p>The caller promises: where an address that one rank passes to a collective lies in a window,
 * those that the other ranks pass for the same argument lie in the same window, equally far from
 * its start. That is so for arguments that a rank does not use, too. Where a rank's own data are in
 * their place among those of all ranks, the whole is equally far, and either all ranks do so or
 * none ({@code DEVTEAM-08}). {@link DeviceTeam#transfer} asks for none of this: what is sent may
 * lie anywhere in a window, whatever the receiver's address is.
 */
public interface TeamWindow extends AutoCloseable {

  /** {@return the first byte of this rank's piece} */
  long address();

  /** {@return the number of bytes of the piece, the same on all ranks} */
  long size();

  /**
   * Closes the window on all ranks, which call this in the same order as everything of the team
   * that exchanges, and wait for each other. The memory stays the caller's. Launches that use it
   * are complete on all ranks. After an abort it waits for nobody, and the caller frees the memory
   * when all ranks have closed the window or the team. A second call does nothing.
   */
  @Override
  void close();
}
