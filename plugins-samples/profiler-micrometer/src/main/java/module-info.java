// SPDX-License-Identifier: Apache-2.0

/** A profiler whose figures are meters of Micrometer. */
module io.nitinol.samples.profilermicrometer {
  requires io.nitinol.spi;
  requires micrometer.core;
  requires static org.jspecify;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.samples.profilermicrometer.MicrometerVariables;
  provides io.nitinol.spi.profiler.v1.Profiler with
      io.nitinol.samples.profilermicrometer.MicrometerProfiler;
}
