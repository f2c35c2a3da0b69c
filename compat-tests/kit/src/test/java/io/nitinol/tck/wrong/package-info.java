// SPDX-License-Identifier: Apache-2.0
/**
 * Plugins that are wrong in one way each, to see whether the kit finds it. {@link
 * io.nitinol.tck.wrong.KillTest} runs the kit on each of them; their annotation {@code Breaks}
 * names the rule that it has to report. They are nested classes of one file for each part of the
 * contract, such as {@link io.nitinol.tck.wrong.ConnectingMistakes}; a plugin with the annotation
 * is found by itself. What begins with {@code Wrong}, {@code Watching} or {@code Meddling} is what
 * they extend: a right plugin, of which they change one call.
 */
@NullMarked
package io.nitinol.tck.wrong;

import org.jspecify.annotations.NullMarked;
