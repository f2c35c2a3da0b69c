// SPDX-License-Identifier: Apache-2.0
/** Networks of several hosts on one machine, for tests and benchmarks. */
module io.nitinol.netns {
  requires static org.jspecify;

  exports io.nitinol.netns;
}
