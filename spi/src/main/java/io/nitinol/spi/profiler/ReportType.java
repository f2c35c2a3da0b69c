// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.profiler;

/**
 * A kind of report. NCCL's profilers have none: an {@link EventType} is something that every
 * operation does, and a report is of something rare.
 */
public enum ReportType {
  /** A call of the network plugin that took long. */
  SLOW_CALL,
  /** A connection over the network plugin that was made. */
  CONNECTION,
  /** Memory that the network plugin has registered. */
  REGISTRATION,
  /** The failure of the communicator. */
  FAILURE;

  /** {@return the bit of this kind in a mask of reports, which is no mask of events} */
  public int mask() {
    return 1 << ordinal();
  }
}
