// SPDX-License-Identifier: Apache-2.0
/** Discovery, selection, schedules, transports, progress engine and communicator. */
module io.nitinol.core {
  requires transitive io.nitinol.spi;
  requires static org.jspecify;

  exports io.nitinol.core.config;
  exports io.nitinol.core.kernel;
  exports io.nitinol.core.launch;
  exports io.nitinol.core.log;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.core.config.CoreVariables;

  uses io.nitinol.spi.config.VariableCatalog;
}
