// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the rules' tests: finds them ({@code RuleCatalog}), runs each within a time limit ({@code
 * CaseRunner}), and makes results of them. {@code KitRun} calls {@code TestBench}, where reading
 * begins.
 */
@NullMarked
package io.nitinol.tck.run;

import org.jspecify.annotations.NullMarked;
