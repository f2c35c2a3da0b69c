// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.recording.Transfer;

/** Hears what happens in a simulation, in the order of time. All times are in picoseconds. */
public interface SimulationListener {
  /**
   * Takes note that a rank hands a message to its connection, or begins to read memory.
   *
   * @param group which group's communicator
   * @param rank the rank that does it
   * @param transfer only valid during the call
   */
  default void transfer(int group, int rank, Transfer transfer, long time) {}

  /** Takes note of a node that a GPU was at from {@code from} to {@code to}. */
  default void node(int node, int gpu, long from, long to) {}

  /** Takes note of how many transfers there have been so far; every now and then. */
  default void progress(long transfers, long time) {}
}
