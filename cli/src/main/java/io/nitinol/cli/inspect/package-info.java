// SPDX-License-Identifier: Apache-2.0

/**
 * The commands that show a set-up: {@code plugins}, {@code env} and {@code doctor}. None of them
 * makes a communicator.
 */
@NullMarked
package io.nitinol.cli.inspect;

import org.jspecify.annotations.NullMarked;
