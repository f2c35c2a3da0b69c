// SPDX-License-Identifier: Apache-2.0
/** The TCP network plugin. */
module io.nitinol.net.socket {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
