// SPDX-License-Identifier: Apache-2.0

/**
 * Nitinol's log in the logging framework of the application. {@code NITINOL_LOG} chooses one of
 * {@link io.nitinol.samples.logbridge.SystemLoggerSink} and {@link
 * io.nitinol.samples.logbridge.Slf4jSink}, which one thread of Nitinol's calls. {@code LoggerName}
 * says which logger a line goes to.
 */
@NullMarked
package io.nitinol.samples.logbridge;

import org.jspecify.annotations.NullMarked;
