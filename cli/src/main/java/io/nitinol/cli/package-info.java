// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code nitinol} command. Begin at {@link io.nitinol.cli.Main}, which lists the subcommands.
 *
 * <p>Each group of subcommands has a package: {@code perf} measures collectives, {@code launch}
 * starts ranks ({@code run}), {@code inspect} shows plugins, variables and why a job is stuck,
 * {@code top} does so live, {@code tck} runs the conformance kit, {@code switching} runs the
 * switch. {@code command} holds what they share. This package turns exceptions into messages and
 * exit statuses.
 */
@NullMarked
package io.nitinol.cli;

import org.jspecify.annotations.NullMarked;
