// SPDX-License-Identifier: Apache-2.0
/** A kernel provider over the incubating Vector API. */
module io.nitinol.samples.vector {
  requires io.nitinol.spi;
  requires jdk.incubator.vector;
  requires static org.jspecify;
}
