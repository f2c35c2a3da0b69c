// SPDX-License-Identifier: Apache-2.0
/** A kernel provider over the incubating Vector API. */
@NullMarked
package io.nitinol.samples.vector;

import org.jspecify.annotations.NullMarked;
