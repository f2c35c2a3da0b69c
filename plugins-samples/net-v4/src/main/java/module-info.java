// SPDX-License-Identifier: Apache-2.0
/** A network plugin written against version 4 of the interface. */
@SuppressWarnings("module")
module io.nitinol.samples.netv4 {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
