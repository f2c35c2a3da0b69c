// SPDX-License-Identifier: Apache-2.0
/** The in-network reduction plugin and the software switch it talks to. */
module io.nitinol.net.collnet {
  requires transitive io.nitinol.spi;
  requires transitive io.nitinol.toolkit; // for the annotations that name a class's threads
  requires static org.jspecify;

  exports io.nitinol.net.collnet.node;

  uses io.nitinol.spi.kernel.v1.KernelProvider;
  uses io.nitinol.spi.net.v12.Net;

  provides io.nitinol.spi.collnet.v12.CollNet with
      io.nitinol.net.collnet.SwitchCollNet;
  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.net.collnet.CollNetVariables;
}
