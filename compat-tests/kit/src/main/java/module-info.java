// SPDX-License-Identifier: Apache-2.0

/** The conformance kit, which checks a plugin against the numbered contract of the SPI. */
module io.nitinol.tck {
  requires transitive io.nitinol.spi;
  requires transitive io.nitinol.core;
  requires io.nitinol.toolkit;
  requires java.management;
  requires java.xml;
  requires jdk.management;
  requires tools.jackson.databind;
  requires static org.jspecify;

  exports io.nitinol.tck;
  exports io.nitinol.tck.plugin;
  exports io.nitinol.tck.report;
  exports io.nitinol.tck.result;
  exports io.nitinol.tck.spec;

  opens io.nitinol.tck.result to
      tools.jackson.databind;
}
