// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit as JUnit 5 tests, one dynamic test per rule. Begin with {@link
 * io.nitinol.tck.junit.ConformanceTest}, which the author of a plugin subclasses; JUnit calls it.
 */
@NullMarked
package io.nitinol.tck.junit;

import org.jspecify.annotations.NullMarked;
