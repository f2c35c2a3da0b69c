// SPDX-License-Identifier: Apache-2.0

/** The reference plugin of the conformance kit, over memory shared by the processes of one host. */
module io.nitinol.samples.memory {
  requires transitive io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  exports io.nitinol.samples.memory;

  provides io.nitinol.spi.collnet.v12.CollNet with
      io.nitinol.samples.memory.MemoryCollNet12;
  provides io.nitinol.spi.collnet.v6.CollNet with
      io.nitinol.samples.memory.MemoryCollNet;
  provides io.nitinol.spi.net.v12.Net with
      io.nitinol.samples.memory.MemoryNet12;
  provides io.nitinol.spi.net.v6.Net with
      io.nitinol.samples.memory.MemoryNet;
}
