// SPDX-License-Identifier: Apache-2.0

/**
 * The plugin interfaces of Nitinol, one package per ABI version, and the little that every plugin
 * shares. Needs nothing but the JDK.
 */
module io.nitinol.spi {
  requires static org.jspecify; // not transitive: a plugin compiles against this jar alone

  exports io.nitinol.spi.buffer.v1;
  exports io.nitinol.spi.collnet.v10;
  exports io.nitinol.spi.collnet.v11;
  exports io.nitinol.spi.collnet.v12;
  exports io.nitinol.spi.collnet.v4;
  exports io.nitinol.spi.collnet.v5;
  exports io.nitinol.spi.collnet.v6;
  exports io.nitinol.spi.collnet.v7;
  exports io.nitinol.spi.collnet.v8;
  exports io.nitinol.spi.collnet.v9;
  exports io.nitinol.spi.config;
  exports io.nitinol.spi.device.v1;
  exports io.nitinol.spi.finder.v1;
  exports io.nitinol.spi.kernel.v1;
  exports io.nitinol.spi.log.v1;
  exports io.nitinol.spi.net.v10;
  exports io.nitinol.spi.net.v11;
  exports io.nitinol.spi.net.v12;
  exports io.nitinol.spi.net.v4;
  exports io.nitinol.spi.net.v5;
  exports io.nitinol.spi.net.v6;
  exports io.nitinol.spi.net.v7;
  exports io.nitinol.spi.net.v8;
  exports io.nitinol.spi.net.v9;
  exports io.nitinol.spi.net;
  exports io.nitinol.spi.profiler.v1;
  exports io.nitinol.spi.profiler;
  exports io.nitinol.spi.topology.v1;
  exports io.nitinol.spi.tuner.v1;
  exports io.nitinol.spi.tuner;
  exports io.nitinol.spi;

  uses io.nitinol.spi.config.VariableCatalog;
  uses io.nitinol.spi.finder.v1.NetFinder;
}
