// SPDX-License-Identifier: Apache-2.0
/** The contract as the kit reads it: the rules of SPEC.md with their ids, marks and texts. */
@NullMarked
package io.nitinol.tck.spec;

import org.jspecify.annotations.NullMarked;
