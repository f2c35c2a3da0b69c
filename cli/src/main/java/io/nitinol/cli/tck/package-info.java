// SPDX-License-Identifier: Apache-2.0
/** {@code nitinol tck}: the conformance kit on a plugin that is installed or lies in a jar. */
@NullMarked
package io.nitinol.cli.tck;

import org.jspecify.annotations.NullMarked;
