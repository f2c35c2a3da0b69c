// SPDX-License-Identifier: Apache-2.0

/** The connections of a host's heads with a collective network, which reduces between hosts. */
@NullMarked
package io.nitinol.core.transport.collnet;

import org.jspecify.annotations.NullMarked;
