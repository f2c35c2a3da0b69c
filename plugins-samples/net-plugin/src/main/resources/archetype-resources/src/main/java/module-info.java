// SPDX-License-Identifier: Apache-2.0
/** A network plugin to begin with. */
module ${package} {
  requires io.nitinol.spi;

  provides io.nitinol.spi.net.v6.Net with
      ${package}.${pluginName};
}
