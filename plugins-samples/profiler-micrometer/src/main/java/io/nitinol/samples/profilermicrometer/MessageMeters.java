// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import io.micrometer.core.instrument.Counter;

/**
 * The meters of the messages in one direction.
 *
 * @param messages how many
 * @param bytes their data
 */
record MessageMeters(Counter messages, Counter bytes) {
  void count(long size) {
    messages.increment();
    bytes.increment((double) size);
  }
}
