// SPDX-License-Identifier: Apache-2.0
/** A kernel provider for CUDA devices. */
module io.nitinol.samples.cuda {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
