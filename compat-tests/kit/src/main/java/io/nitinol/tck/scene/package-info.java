// SPDX-License-Identifier: Apache-2.0
/**
 * Scenes that several rules' tests share: message traffic with slots, attempts to connect that fail
 * or race, waiting for a failure, calls that must be prompt, heap use. The classes of {@code
 * tck.rules} call these; sessions and connections, which both use, are in {@code tck.session}.
 * Begin with {@link io.nitinol.tck.scene.SlotTraffic}.
 */
@NullMarked
package io.nitinol.tck.scene;

import org.jspecify.annotations.NullMarked;
