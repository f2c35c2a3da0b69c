// SPDX-License-Identifier: Apache-2.0
/** Writes what a run found: as a table, as JUnit XML, as JSON and as a page to read. */
@NullMarked
package io.nitinol.tck.report;

import org.jspecify.annotations.NullMarked;
