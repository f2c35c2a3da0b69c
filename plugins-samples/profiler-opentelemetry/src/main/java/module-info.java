// SPDX-License-Identifier: Apache-2.0

/** A profiler whose spans and metrics go to OpenTelemetry. */
module io.nitinol.samples.profileropentelemetry {
  requires io.nitinol.spi;
  requires io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires static org.jspecify;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.samples.profileropentelemetry.OpenTelemetryVariables;
  provides io.nitinol.spi.profiler.v1.Profiler with
      io.nitinol.samples.profileropentelemetry.OpenTelemetryProfiler;
}
