// SPDX-License-Identifier: Apache-2.0
/** A network plugin written against version 4 of the interface. */
@NullMarked
package io.nitinol.samples.netv4;

import org.jspecify.annotations.NullMarked;
