// SPDX-License-Identifier: Apache-2.0
/**
 * What several rules' tests do in the same way: message traffic with slots, attempts to connect
 * that fail or race, waiting for a failure, calls that must be prompt, heap use. The classes of
 * {@code tck.rules} call these; what both work with, such as sessions and connections, is in {@code
 * tck.session}.
 */
@NullMarked
package io.nitinol.tck.scene;

import org.jspecify.annotations.NullMarked;
