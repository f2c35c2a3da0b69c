// SPDX-License-Identifier: Apache-2.0
/** The InfiniBand verbs network plugin. */
@NullMarked
package io.nitinol.net.ib;

import org.jspecify.annotations.NullMarked;
