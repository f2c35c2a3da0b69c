// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.log.v1;

/**
 * Takes the lines of the log in place of standard error. Found by {@link java.util.ServiceLoader}
 * where the application is; {@code NITINOL_LOG} chooses one by its name.
 *
 * <p>One thread of Nitinol's makes the sink and all calls. That thread moves no data, so a sink may
 * wait. Lines that come faster than the sink takes them go to standard error meanwhile, and so do
 * those that this thread logs itself, since a sink that used Nitinol would never be done otherwise.
 * Where a sink throws, it is used no more: the log goes on at standard error, with a warning. When
 * the process ends, the lines that wait go to standard error.
 */
public interface LogSink {

  /**
   * Returns the name by which {@code NITINOL_LOG} chooses it: short, printable ASCII without
   * spaces, always the same.
   *
   * @return the name, for example {@code slf4j}
   */
  String name();

  /**
   * Takes a line. What is not to be logged by {@code NCCL_DEBUG} and {@code NCCL_DEBUG_SUBSYS} does
   * not come here.
   *
   * @param line what to log
   */
  void write(LogLine line);
}
