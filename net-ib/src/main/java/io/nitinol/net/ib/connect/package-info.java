// SPDX-License-Identifier: Apache-2.0

/**
 * How a connection comes about: over an authenticated TCP connection the two sides tell each other
 * what their cards have to know, and bring their queue pairs up.
 */
@NullMarked
package io.nitinol.net.ib.connect;

import org.jspecify.annotations.NullMarked;
