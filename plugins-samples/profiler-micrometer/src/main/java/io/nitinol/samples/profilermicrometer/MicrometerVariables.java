// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables that only this profiler reads. */
public final class MicrometerVariables implements VariableCatalog {

  /** Whether times have buckets. */
  public static final Variable<Boolean> HISTOGRAM =
      Variable.flag(
          "NITINOL_PROFILER_MICROMETER_HISTOGRAM",
          false,
          "Whether the profiler Micrometer publishes the times of operations as a histogram, of"
              + " which Prometheus computes percentiles. Each combination of tags has about 100"
              + " time series then.");

  /** Whether messages are counted. */
  public static final Variable<Boolean> NETWORK =
      Variable.flag(
          "NITINOL_PROFILER_MICROMETER_NETWORK",
          true,
          "Whether the profiler Micrometer counts the messages and bytes that go over the network.");

  /** Creates the table; for ServiceLoader. */
  public MicrometerVariables() {}

  @Override
  public String owner() {
    return "profiler-micrometer";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(HISTOGRAM, NETWORK);
  }
}
