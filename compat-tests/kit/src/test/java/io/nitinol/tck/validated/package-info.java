// SPDX-License-Identifier: Apache-2.0
/**
 * The kit and the validating decorators against each other: right plugins that are watched while
 * the kit drives them, and wrong ones while a message passes.
 */
@NullMarked
package io.nitinol.tck.validated;

import org.jspecify.annotations.NullMarked;
