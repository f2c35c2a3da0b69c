// SPDX-License-Identifier: Apache-2.0
/** The tests, one for each rule of the contract and named by its id, a class for each area. */
@NullMarked
package io.nitinol.tck.rules;

import org.jspecify.annotations.NullMarked;
