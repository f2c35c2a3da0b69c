// SPDX-License-Identifier: Apache-2.0
/** The JUnit 5 face of the conformance kit: one dynamic test per rule. */
@NullMarked
package io.nitinol.tck.junit;

import org.jspecify.annotations.NullMarked;
