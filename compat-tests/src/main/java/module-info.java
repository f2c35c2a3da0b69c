// SPDX-License-Identifier: Apache-2.0
/** The conformance kit, which checks a plugin against the numbered contract of the SPI. */
module io.nitinol.compat {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
