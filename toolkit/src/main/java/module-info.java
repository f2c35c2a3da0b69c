// SPDX-License-Identifier: Apache-2.0

/** What core and the plugins share: addresses, interfaces, proofs, authenticated connections. */
module io.nitinol.toolkit {
  requires transitive io.nitinol.spi;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports io.nitinol.toolkit;
  exports io.nitinol.toolkit.connect;
  exports io.nitinol.toolkit.control;
  exports io.nitinol.toolkit.file;
  exports io.nitinol.toolkit.net;
  exports io.nitinol.toolkit.proof;
  exports io.nitinol.toolkit.team;
  exports io.nitinol.toolkit.thread;
}
