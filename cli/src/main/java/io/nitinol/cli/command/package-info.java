// SPDX-License-Identifier: Apache-2.0

/**
 * The parts that all subcommands share: the exit statuses, the exception that ends a command with
 * one sentence, the version, and what there is to know of the terminal. It uses no other package of
 * the command but its own bindings.
 */
@NullMarked
package io.nitinol.cli.command;

import org.jspecify.annotations.NullMarked;
