// SPDX-License-Identifier: Apache-2.0

/** Shows collectives the memory of the pointers of javacpp. */
@NullMarked
package io.nitinol.samples.javacpp;

import org.jspecify.annotations.NullMarked;
