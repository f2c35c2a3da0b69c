// SPDX-License-Identifier: Apache-2.0
/** What is under test: a plugin's versions, and the lanes on which each is driven. */
@NullMarked
package io.nitinol.tck.plugin;

import org.jspecify.annotations.NullMarked;
