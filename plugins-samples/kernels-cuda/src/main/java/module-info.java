// SPDX-License-Identifier: Apache-2.0
/** The provider of CUDA devices: their memory, their streams and kernels for collectives. */
module io.nitinol.samples.cuda {
  requires transitive io.nitinol.spi;
  requires static org.jspecify;

  exports io.nitinol.samples.cuda;

  provides io.nitinol.spi.device.v1.DeviceProvider with
      io.nitinol.samples.cuda.CudaDeviceProvider;
}
