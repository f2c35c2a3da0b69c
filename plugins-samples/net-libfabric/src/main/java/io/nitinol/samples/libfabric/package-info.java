// SPDX-License-Identifier: Apache-2.0
/** A network plugin over libfabric. */
@NullMarked
package io.nitinol.samples.libfabric;

import org.jspecify.annotations.NullMarked;
