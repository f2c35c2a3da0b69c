// SPDX-License-Identifier: Apache-2.0

/** What tests of several modules need: waiting with a bound, a log to read, hostile bytes. */
package io.nitinol.spi.testing;
