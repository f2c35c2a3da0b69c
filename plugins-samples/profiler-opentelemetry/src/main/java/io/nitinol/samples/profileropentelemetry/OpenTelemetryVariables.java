// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables that only this profiler reads. */
public final class OpenTelemetryVariables implements VariableCatalog {

  /** Spans under a span that is recorded only. */
  static final String UNDER_PARENT = "parent";

  /** A span for each operation. */
  static final String ALL = "all";

  /** Metrics only. */
  static final String NONE = "none";

  /** Which operations have a span. */
  public static final Variable<String> SPANS =
      Variable.choice(
          "NITINOL_PROFILER_OPENTELEMETRY_SPANS",
          List.of(UNDER_PARENT, ALL, NONE),
          UNDER_PARENT,
          "Which operations have a span of the profiler OpenTelemetry: those that are called while a"
              + " span is current that is recorded, all that the SDK's sampler takes, or none.");

  /** Whether messages are counted. */
  public static final Variable<Boolean> NETWORK =
      Variable.flag(
          "NITINOL_PROFILER_OPENTELEMETRY_NETWORK",
          true,
          "Whether the profiler OpenTelemetry counts the messages and bytes that go over the"
              + " network.");

  /** Creates the table; for ServiceLoader. */
  public OpenTelemetryVariables() {}

  @Override
  public String owner() {
    return "profiler-opentelemetry";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(SPANS, NETWORK);
  }
}
