// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin under test: its versions, and the lanes on which each is called. Begin with {@link
 * io.nitinol.tck.plugin.PluginUnderTest}, which the author of a plugin or the command makes.
 */
@NullMarked
package io.nitinol.tck.plugin;

import org.jspecify.annotations.NullMarked;
