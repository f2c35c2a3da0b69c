// SPDX-License-Identifier: Apache-2.0
/** Benchmarks against other libraries. */
module io.nitinol.bench {
  requires io.nitinol.core;
  requires io.nitinol.guest;
  requires io.nitinol.netns;
  requires io.nitinol.spi;
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires static org.jspecify;

  uses io.nitinol.spi.collnet.v12.CollNet;
  uses io.nitinol.spi.device.v1.DeviceProvider;
  uses io.nitinol.spi.kernel.v1.KernelProvider;
  uses io.nitinol.spi.net.v12.Net;
  uses io.nitinol.spi.profiler.v1.Profiler;

  provides io.nitinol.spi.profiler.v1.Profiler with
      io.nitinol.bench.allreduce.SwitchedProfiler;
}
