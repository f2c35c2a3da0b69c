// SPDX-License-Identifier: Apache-2.0

/** The CPU twin of device providers: host memory as device memory, threads as streams. */
module io.nitinol.samples.cpu {
  requires transitive io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  exports io.nitinol.samples.cpu;

  uses io.nitinol.spi.kernel.v1.KernelProvider;

  provides io.nitinol.spi.device.v1.DeviceProvider with
      io.nitinol.samples.cpu.CpuDeviceProvider;
}
