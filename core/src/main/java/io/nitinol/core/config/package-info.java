// SPDX-License-Identifier: Apache-2.0

/**
 * The variables that core reads, and the table of the variables of all modules.
 *
 * <p>Begin at {@link io.nitinol.core.config.CoreVariables}, which declares each variable once with
 * its type, default and meaning. {@link io.nitinol.core.config.VariableTable} collects the
 * declarations of all modules for {@code nitinol env} and the documentation, and {@link
 * io.nitinol.core.config.MisspeltNames} finds names in the environment that look like one of them.
 * The declarations are constants, which any thread reads.
 */
@NullMarked
package io.nitinol.core.config;

import org.jspecify.annotations.NullMarked;
