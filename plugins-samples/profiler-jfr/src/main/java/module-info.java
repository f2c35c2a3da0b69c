// SPDX-License-Identifier: Apache-2.0

/** A profiler whose events are in JDK Flight Recorder. */
module io.nitinol.samples.profilerjfr {
  requires io.nitinol.spi;
  requires jdk.jfr;
  requires static org.jspecify;

  // The recorder makes instances of the events' classes.
  opens io.nitinol.samples.profilerjfr to
      jdk.jfr;

  provides io.nitinol.spi.profiler.v1.Profiler with
      io.nitinol.samples.profilerjfr.JfrProfiler;
}
