// SPDX-License-Identifier: Apache-2.0
/** A guest machine with RDMA devices, for tests and benchmarks. */
module io.nitinol.guest {
  requires static org.jspecify;

  exports io.nitinol.guest;
}
