// SPDX-License-Identifier: Apache-2.0
/** The variables of the verbs plugin, and what they say. Uses no other package of the plugin. */
@NullMarked
package io.nitinol.net.ib.config;

import org.jspecify.annotations.NullMarked;
