// SPDX-License-Identifier: Apache-2.0
/** The place of a network plugin over libfabric. There is nothing in it yet. */
@NullMarked
package io.nitinol.samples.libfabric;

import org.jspecify.annotations.NullMarked;
