// SPDX-License-Identifier: Apache-2.0
/** The conformance kit: what a plugin author names, starts and reads. */
@NullMarked
package io.nitinol.tck;

import org.jspecify.annotations.NullMarked;
