// SPDX-License-Identifier: Apache-2.0
/**
 * What a switch and its children say to each other: the operations with their segments, and the
 * frames of the control connection.
 */
@NullMarked
package io.nitinol.net.collnet.wire;

import org.jspecify.annotations.NullMarked;
