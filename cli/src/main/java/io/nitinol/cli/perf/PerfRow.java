// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfJob;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table.
 *
 * @param bytes size of the operation, which its bandwidth is reckoned by
 * @param busFactor bus bandwidth over algorithm bandwidth
 * @param messages how many messages an operation is on all ranks together; 0 where it is no message
 * @param inPlace null where there is no such thing
 */
record PerfRow(
    long bytes,
    PerfJob job,
    double busFactor,
    int messages,
    Measurement outOfPlace,
    @Nullable Measurement inPlace) {

  /** A row of an operation that is no message. */
  PerfRow(
      long bytes,
      PerfJob job,
      double busFactor,
      Measurement outOfPlace,
      @Nullable Measurement inPlace) {
    this(bytes, job, busFactor, 0, outOfPlace, inPlace);
  }

  /** Returns how many messages all ranks together sent in a second. */
  double messageRate() {
    double seconds = outOfPlace.seconds();
    return seconds > 0 ? messages / seconds : 0;
  }

  double busBandwidth(Measurement measurement) {
    return measurement.algorithmBandwidth(bytes) * busFactor;
  }

  long wrong() {
    return measurements().mapToLong(one -> Math.max(0, one.wrong())).sum();
  }

  /** Returns the same without the times of single operations, which take much memory. */
  PerfRow withoutTimes() {
    return new PerfRow(
        bytes,
        job,
        busFactor,
        messages,
        outOfPlace.withoutTimes(),
        inPlace == null ? null : inPlace.withoutTimes());
  }

  /** Returns both or only one. */
  Stream<Measurement> measurements() {
    return Stream.of(outOfPlace)
        .mapMulti((one, sink) -> {
          sink.accept(one);
          if (inPlace != null) {
            sink.accept(inPlace);
          }
        });
  }
}
