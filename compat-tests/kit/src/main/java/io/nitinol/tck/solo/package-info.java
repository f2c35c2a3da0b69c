// SPDX-License-Identifier: Apache-2.0
/**
 * Processes in which a plugin is alone, so that its effects on a process can be seen. Begin with
 * {@link io.nitinol.tck.solo.Solo}, which the rules' tests call.
 */
@NullMarked
package io.nitinol.tck.solo;

import org.jspecify.annotations.NullMarked;
