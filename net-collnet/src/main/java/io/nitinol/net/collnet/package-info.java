// SPDX-License-Identifier: Apache-2.0
/** The in-network reduction plugin and the software switch it talks to. */
@NullMarked
package io.nitinol.net.collnet;

import org.jspecify.annotations.NullMarked;
