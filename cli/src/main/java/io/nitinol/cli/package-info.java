// SPDX-License-Identifier: Apache-2.0
/** The nitinol command. */
@NullMarked
package io.nitinol.cli;

import org.jspecify.annotations.NullMarked;
