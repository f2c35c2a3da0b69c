// SPDX-License-Identifier: Apache-2.0

/** A sample network plugin, written against version 5 of the interface. */
@SuppressWarnings("module") // the digit at the end of the name is the version that it shows
module io.nitinol.samples.netv5 {
  requires io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  provides io.nitinol.spi.net.v5.Net with
      io.nitinol.samples.netv5.SampleV5;
}
