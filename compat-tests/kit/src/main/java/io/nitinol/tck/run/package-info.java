// SPDX-License-Identifier: Apache-2.0
/** Runs the rules' tests: finds them, bounds them, and turns what happens into results. */
@NullMarked
package io.nitinol.tck.run;

import org.jspecify.annotations.NullMarked;
