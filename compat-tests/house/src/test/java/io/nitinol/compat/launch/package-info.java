// SPDX-License-Identifier: Apache-2.0
/**
 * Checks that ranks meet under the launchers that users have, with nothing set by hand. Begin at
 * {@code LaunchersTest}; {@code LaunchedProgram} is the program that it starts.
 */
@NullMarked
package io.nitinol.compat.launch;

import org.jspecify.annotations.NullMarked;
