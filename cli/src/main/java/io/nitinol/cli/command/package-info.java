// SPDX-License-Identifier: Apache-2.0

/**
 * The parts that all subcommands share: the exit statuses, the exception that ends a command with
 * one sentence, and the version. It uses no other package of the command.
 */
@NullMarked
package io.nitinol.cli.command;

import org.jspecify.annotations.NullMarked;
