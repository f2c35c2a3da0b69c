// SPDX-License-Identifier: Apache-2.0
/**
 * Linux network namespaces as hosts, and links between them: fast ones with a bound, and bad ones;
 * and file systems that are soon full. Nothing has a name outside, and all of it ends with the
 * process that made it, however that ends.
 */
@NullMarked
package io.nitinol.netns;

import org.jspecify.annotations.NullMarked;
