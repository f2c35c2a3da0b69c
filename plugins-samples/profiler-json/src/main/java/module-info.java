// SPDX-License-Identifier: Apache-2.0

/** A sample profiler, which writes trace files. */
module io.nitinol.samples.profilerjson {
  requires io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.samples.profilerjson.JsonVariables;
  provides io.nitinol.spi.profiler.v1.Profiler with
      io.nitinol.samples.profilerjson.JsonProfiler;
}
