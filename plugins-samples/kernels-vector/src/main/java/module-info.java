// SPDX-License-Identifier: Apache-2.0
/** A kernel provider over the incubating Vector API. */
module io.nitinol.samples.vector {
  requires io.nitinol.spi;
  requires static jdk.incubator.vector; // where it is absent the provider says so
  requires static org.jspecify;

  provides io.nitinol.spi.kernel.v1.KernelProvider with
      io.nitinol.samples.vector.VectorKernels;
}
