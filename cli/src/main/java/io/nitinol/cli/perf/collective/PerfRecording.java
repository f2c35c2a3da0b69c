// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

/** Operations of a {@link PerfSession} that were recorded, to be started as one. */
public interface PerfRecording extends AutoCloseable {

  /** Starts all of it, behind what was started before. */
  void start();

  /** Frees it; what was started has ended. */
  @Override
  void close();
}
