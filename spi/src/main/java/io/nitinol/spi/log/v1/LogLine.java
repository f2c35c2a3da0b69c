// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.log.v1;

import io.nitinol.spi.LogLevel;
import java.time.Instant;

/**
 * A line of the log, as the thread that logs it made it.
 *
 * @param time when it was logged; a sink gets it somewhat later
 * @param level how important it is, not {@link LogLevel#NONE}
 * @param subsystems what it is about, bits of {@link io.nitinol.spi.LogSubsystem}
 * @param rank the rank that it is about; -1 where none is known
 * @param thread the thread that logged it, which may have ended since
 * @param location the class or file that it comes from
 * @param line the line in that file, or 0 where it says nothing
 * @param message the text, without a newline at its end
 */
public record LogLine(
    Instant time,
    LogLevel level,
    long subsystems,
    int rank,
    Thread thread,
    String location,
    int line,
    String message) {}
