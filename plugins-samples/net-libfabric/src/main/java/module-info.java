// SPDX-License-Identifier: Apache-2.0
/** A network plugin over libfabric. */
module io.nitinol.samples.libfabric {
  requires io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires jdk.net;
  requires static org.jspecify;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.samples.libfabric.config.OfiVariables;
  provides io.nitinol.spi.net.v12.Net with
      io.nitinol.samples.libfabric.OfiNet;
}
