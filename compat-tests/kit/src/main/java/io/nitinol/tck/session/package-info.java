// SPDX-License-Identifier: Apache-2.0
/**
 * The tools of a rule's test: the plugin under one interface for all versions, connections, guarded
 * memory, bounded waits and the trace of the calls. Begin with {@link
 * io.nitinol.tck.session.Session}, which {@code tck.run} makes for each test and the methods of
 * {@code tck.rules} get.
 */
@NullMarked
package io.nitinol.tck.session;

import org.jspecify.annotations.NullMarked;
