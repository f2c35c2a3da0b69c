// SPDX-License-Identifier: Apache-2.0
/** A network and collective plugin over shared memory files: a message never leaves the host. */
@NullMarked
package io.nitinol.samples.memory;

import org.jspecify.annotations.NullMarked;
