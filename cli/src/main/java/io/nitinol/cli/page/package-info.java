// SPDX-License-Identifier: Apache-2.0

/**
 * What the pages of the commands share: {@code Html} begins and ends one and escapes its text,
 * {@code LogChart} draws curves, and {@code SizeText} writes numbers of bytes, also for commands
 * that print text. A page is one file without scripts, and loads nothing. The thread of the command
 * calls all of it.
 */
@NullMarked
package io.nitinol.cli.page;

import org.jspecify.annotations.NullMarked;
