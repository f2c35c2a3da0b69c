// SPDX-License-Identifier: Apache-2.0
/** Real jobs under random faults. */
module io.nitinol.chaos {
  requires io.nitinol.cli; // the switch, as a program
  requires transitive io.nitinol.core;
  requires io.nitinol.guest;
  requires io.nitinol.netns;
  requires java.management; // what a process of the soak holds
  requires static org.jspecify;

  exports io.nitinol.chaos;

  opens io.nitinol.chaos to
      io.nitinol.netns; // which builds the C source in it

  uses io.nitinol.spi.net.v12.Net;
}
