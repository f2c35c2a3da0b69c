// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/**
 * One line of the table.
 *
 * @param bytes size of the operation's buffer
 * @param count elements in it
 * @param busFactor bus bandwidth over algorithm bandwidth
 */
record Row(
    long bytes,
    long count,
    DataType type,
    ReductionOp op,
    double busFactor,
    Measurement outOfPlace,
    Measurement inPlace) {

  double busBandwidth(Measurement measurement) {
    return measurement.algorithmBandwidth(bytes) * busFactor;
  }

  long wrong() {
    return Math.max(0, outOfPlace.wrong()) + Math.max(0, inPlace.wrong());
  }
}
