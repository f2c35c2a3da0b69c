// SPDX-License-Identifier: Apache-2.0
/**
 * The variables of the verbs plugin: {@link io.nitinol.net.ib.config.IbVariables} declares them,
 * {@link io.nitinol.net.ib.config.IbOptions} is their values. Read by the plugin's {@code init};
 * uses no other package of the plugin.
 */
@NullMarked
package io.nitinol.net.ib.config;

import org.jspecify.annotations.NullMarked;
