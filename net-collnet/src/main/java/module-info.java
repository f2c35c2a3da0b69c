// SPDX-License-Identifier: Apache-2.0
/** The in-network reduction plugin and the software switch it talks to. */
module io.nitinol.net.collnet {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
