// SPDX-License-Identifier: Apache-2.0
/** Discovery, selection, schedules, transports, progress engine and communicator. */
module io.nitinol.core {
  requires transitive io.nitinol.spi;
  requires static org.jspecify;

  exports io.nitinol.core.kernel;
  exports io.nitinol.core.launch;
}
