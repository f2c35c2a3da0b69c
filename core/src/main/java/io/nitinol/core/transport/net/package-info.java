// SPDX-License-Identifier: Apache-2.0

/** Connections over a network plugin. */
@NullMarked
package io.nitinol.core.transport.net;

import org.jspecify.annotations.NullMarked;
