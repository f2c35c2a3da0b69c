// SPDX-License-Identifier: Apache-2.0

/** The reference plugin of the conformance kit, over memory shared by the processes of one host. */
module io.nitinol.samples.memory {
  requires io.nitinol.spi;
  requires static org.jspecify;
}
