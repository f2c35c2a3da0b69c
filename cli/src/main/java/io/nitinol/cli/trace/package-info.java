// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol trace}: lays the traces of a job's ranks over one another, with the clocks of
 * their hosts corrected. Begin with {@link io.nitinol.cli.trace.TraceCommand}; {@link
 * io.nitinol.cli.trace.ClockCorrection} has the arithmetic.
 */
@NullMarked
package io.nitinol.cli.trace;

import org.jspecify.annotations.NullMarked;
