// SPDX-License-Identifier: Apache-2.0
/** A network plugin written against version 5 of the interface. */
@NullMarked
package io.nitinol.samples.netv5;

import org.jspecify.annotations.NullMarked;
