// SPDX-License-Identifier: Apache-2.0
/** The words in which the rules' tests are written: which rule, what it needs, how it is broken. */
@NullMarked
package io.nitinol.tck.check;

import org.jspecify.annotations.NullMarked;
