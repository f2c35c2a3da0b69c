// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code nitinol} command: its subcommands, its messages and its exit statuses. Each subcommand
 * has a package of its own kind: {@code perf} measures, {@code launch} starts ranks, {@code
 * inspect} shows what is there.
 */
@NullMarked
package io.nitinol.cli;

import org.jspecify.annotations.NullMarked;
