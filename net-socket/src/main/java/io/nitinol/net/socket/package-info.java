// SPDX-License-Identifier: Apache-2.0
/** The TCP network plugin. */
@NullMarked
package io.nitinol.net.socket;

import org.jspecify.annotations.NullMarked;
