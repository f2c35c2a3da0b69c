// SPDX-License-Identifier: Apache-2.0

/** The conformance kit as a JUnit 5 test. */
module io.nitinol.tck.junit {
  requires transitive io.nitinol.tck;
  requires transitive org.junit.jupiter.api;
  requires org.opentest4j;
  requires static org.jspecify;

  exports io.nitinol.tck.junit;
}
