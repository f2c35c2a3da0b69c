// SPDX-License-Identifier: Apache-2.0

/** Shows collectives the memory of the pointers of javacpp. */
module io.nitinol.samples.javacpp {
  requires io.nitinol.spi;
  requires org.bytedeco.javacpp;
  requires static org.jspecify;

  provides io.nitinol.spi.buffer.v1.BufferAdapter with
      io.nitinol.samples.javacpp.PointerAdapter;
}
