// SPDX-License-Identifier: Apache-2.0

/**
 * Version 1 of what a program does for a plugin that rides on others: it finds network plugins of
 * all versions by name. NCCL's plugins cannot ask it for anything.
 */
@NullMarked
package io.nitinol.spi.finder.v1;

import org.jspecify.annotations.NullMarked;
