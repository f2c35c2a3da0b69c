// SPDX-License-Identifier: Apache-2.0

/** Tests of the {@code nitinol} command as its users have it: as processes. */
package io.nitinol.compat.cli;
