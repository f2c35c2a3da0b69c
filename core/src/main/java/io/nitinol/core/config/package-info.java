// SPDX-License-Identifier: Apache-2.0

/** The variables that core reads, and the table that documents the variables of all modules. */
@NullMarked
package io.nitinol.core.config;

import org.jspecify.annotations.NullMarked;
