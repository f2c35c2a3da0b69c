// SPDX-License-Identifier: Apache-2.0
/** Processes in which a plugin is alone, so that what it does to a process can be seen. */
@NullMarked
package io.nitinol.tck.solo;

import org.jspecify.annotations.NullMarked;
