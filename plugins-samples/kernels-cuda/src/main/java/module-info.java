// SPDX-License-Identifier: Apache-2.0
/** The provider of CUDA devices: their memory, their streams and kernels for collectives. */
module io.nitinol.samples.cuda {
  requires transitive io.nitinol.spi;
  requires io.nitinol.toolkit;
  // For the program that checks the provider, which counts what launches allocate.
  requires static jdk.management;
  requires static org.jspecify;

  exports io.nitinol.samples.cuda;

  uses io.nitinol.spi.kernel.v1.KernelProvider;

  provides io.nitinol.spi.device.v1.DeviceProvider with
      io.nitinol.samples.cuda.CudaDeviceProvider;
}
