// SPDX-License-Identifier: Apache-2.0

/** The TCP network plugin. */
module io.nitinol.net.socket {
  requires io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires jdk.net;
  requires static org.jspecify;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.net.socket.config.SocketVariables;
  provides io.nitinol.spi.net.v12.Net with
      io.nitinol.net.socket.SocketNet;
}
