// SPDX-License-Identifier: Apache-2.0

/**
 * The one failure of a communicator, and how its ranks come to the same one. Begin with {@link
 * CommFailures}: what happens in this process is final at once; what is seen between two ranks goes
 * to all as a {@link FailureReport}, and a {@link FailureVerdict} on all reports names the cause.
 * Any thread reports; the bootstrap's loop brings the other ranks' reports.
 */
@NullMarked
package io.nitinol.core.progress.failure;

import org.jspecify.annotations.NullMarked;
