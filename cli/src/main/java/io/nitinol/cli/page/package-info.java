// SPDX-License-Identifier: Apache-2.0

/**
 * What the pages of the commands share: {@code Html} begins and ends one and escapes its text, and
 * {@code LogChart} draws curves. A page is one file without scripts, and loads nothing. The thread
 * of the command calls all of it.
 */
@NullMarked
package io.nitinol.cli.page;

import org.jspecify.annotations.NullMarked;
