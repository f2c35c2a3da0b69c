// SPDX-License-Identifier: Apache-2.0

/**
 * Runs of {@code nitinol perf} and of nccl-tests side by side: {@code nitinol compare} and the page
 * of {@code --report}, which goes where a {@code PageFile} allows it. Begin at {@code
 * CompareCommand}. {@code RunFiles} reads each file, as {@code RunDocument} (JSON) or {@code
 * NcclTable} (text), into a {@code PerfRun}; {@code ComparisonTable} and {@code RunPage} show
 * several of them. The thread of the command calls all of it.
 */
@NullMarked
package io.nitinol.cli.perf.runs;

import org.jspecify.annotations.NullMarked;
