// SPDX-License-Identifier: Apache-2.0
/** A network plugin written against version 5 of the interface. */
@SuppressWarnings("module")
module io.nitinol.samples.netv5 {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
