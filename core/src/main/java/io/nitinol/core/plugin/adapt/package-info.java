// SPDX-License-Identifier: Apache-2.0
/**
 * The adapters that make a plugin of one interface version look like one of the next, one class per
 * step.
 */
@NullMarked
package io.nitinol.core.plugin.adapt;

import org.jspecify.annotations.NullMarked;
