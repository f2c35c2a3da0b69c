// SPDX-License-Identifier: Apache-2.0
/** Memory registered with cards: a cache per card, and the handles that callers get. */
@NullMarked
package io.nitinol.net.ib.memory;

import org.jspecify.annotations.NullMarked;
