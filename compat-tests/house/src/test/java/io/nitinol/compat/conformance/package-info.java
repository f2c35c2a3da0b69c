// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit on every plugin that this repository ships, as their authors would run it.
 */
@org.jspecify.annotations.NullMarked
package io.nitinol.compat.conformance;
