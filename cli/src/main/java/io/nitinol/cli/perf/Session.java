// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;

/**
 * One rank's end of what is measured, and a way to the other ranks that does not depend on it. Used
 * by one thread.
 */
interface Session {
  int rank();

  int size();

  /** Returns what the rank computes with and how it is connected, in a few words. */
  String device();

  /** Returns which network plugin was taken, for people. */
  String network();

  /** Starts an all-reduce; {@code send} and {@code recv} may be the same. */
  void allReduce(MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op);

  /** Waits until all that was started has ended. */
  void finish();

  /** Sends some bytes to all ranks and returns what each sent, by rank. */
  byte[][] exchange(byte[] mine);
}
