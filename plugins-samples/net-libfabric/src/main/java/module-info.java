// SPDX-License-Identifier: Apache-2.0
/** A network plugin over libfabric. */
module io.nitinol.samples.libfabric {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
