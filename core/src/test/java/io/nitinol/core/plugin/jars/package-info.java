// SPDX-License-Identifier: Apache-2.0
/** Builds plugin jars for tests, good ones and broken ones. */
@NullMarked
package io.nitinol.core.plugin.jars;

import org.jspecify.annotations.NullMarked;
