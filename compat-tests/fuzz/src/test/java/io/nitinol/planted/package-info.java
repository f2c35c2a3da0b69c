// SPDX-License-Identifier: Apache-2.0

/**
 * A parser with defects that {@code FuzzerTest} has to find. It is here since the fuzzer puts no
 * probes into classes of its own package.
 */
@NullMarked
package io.nitinol.planted;

import org.jspecify.annotations.NullMarked;
