// SPDX-License-Identifier: Apache-2.0
/**
 * Finds network plugins on the module path, the class path and in {@code NITINOL_PLUGIN_PATH},
 * lifts old versions to the newest one and chooses among them as NCCL does.
 */
@NullMarked
package io.nitinol.core.plugin;

import org.jspecify.annotations.NullMarked;
