// SPDX-License-Identifier: Apache-2.0
/**
 * Writes the results of a run: as a table, as JUnit XML, as JSON and as an HTML page. The command
 * and the JUnit tests call these classes when a run has ended.
 */
@NullMarked
package io.nitinol.tck.report;

import org.jspecify.annotations.NullMarked;
