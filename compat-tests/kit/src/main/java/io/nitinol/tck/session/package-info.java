// SPDX-License-Identifier: Apache-2.0
/**
 * What a rule's test works with: the plugin under one interface whatever its version, connections,
 * guarded memory, bounded waits and the trace of the calls.
 */
@NullMarked
package io.nitinol.tck.session;

import org.jspecify.annotations.NullMarked;
