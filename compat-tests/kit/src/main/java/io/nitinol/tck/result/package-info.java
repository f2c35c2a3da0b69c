// SPDX-License-Identifier: Apache-2.0
/**
 * The results of a run: one per test ({@link io.nitinol.tck.result.CaseResult}), rule by rule.
 * {@code tck.run} makes them; {@code tck.report} writes them.
 */
@NullMarked
package io.nitinol.tck.result;

import org.jspecify.annotations.NullMarked;
