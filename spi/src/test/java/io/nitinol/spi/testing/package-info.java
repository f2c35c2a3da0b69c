// SPDX-License-Identifier: Apache-2.0

/**
 * What the tests of several modules share: waiting with a bound, a log to read, hostile bytes, and
 * the mark of tests that only a thorough run has. Network plugins and {@code compat-tests} use it
 * as the test jar of {@code spi}.
 */
package io.nitinol.spi.testing;
