// SPDX-License-Identifier: Apache-2.0

/**
 * Starts one process per rank, forwards what they print, notices how each of them ends, and sees to
 * it that none outlives the launcher.
 */
@NullMarked
package io.nitinol.cli.launch;

import org.jspecify.annotations.NullMarked;
