// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit: {@link io.nitinol.tck.Kit} runs the tests of the numbered contract against a
 * plugin and reports which rules it breaks.
 */
@NullMarked
package io.nitinol.tck;

import org.jspecify.annotations.NullMarked;
