// SPDX-License-Identifier: Apache-2.0

/**
 * The commands that show a set-up or what a job has left: {@code plugins}, {@code env} and {@code
 * diagnose}. None of them makes a communicator.
 */
@NullMarked
package io.nitinol.cli.inspect;

import org.jspecify.annotations.NullMarked;
