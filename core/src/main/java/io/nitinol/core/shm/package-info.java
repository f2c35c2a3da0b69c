// SPDX-License-Identifier: Apache-2.0

/**
 * Memory that several ranks of one host use together: a file in {@code /dev/shm} that each maps
 * ({@link FileRegion}), or plain memory where they are threads of one process ({@link
 * LocalRegion}). A file has a name only until the last user has mapped it, and names that dead
 * processes have left are removed when the next file is made ({@link ShmDirectory}). Used by {@code
 * team}, {@code transport.memory} and the threads that connect them.
 *
 * <p>{@link ProcessName} and {@link HostName} name this process and this host; {@code launch} and
 * {@code setup} use them as well.
 */
@NullMarked
package io.nitinol.core.shm;

import org.jspecify.annotations.NullMarked;
