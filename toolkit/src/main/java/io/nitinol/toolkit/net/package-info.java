// SPDX-License-Identifier: Apache-2.0

/**
 * What network plugins of any version check alike: whether a token is one of theirs, and whether a
 * range lies in registered memory.
 */
@NullMarked
package io.nitinol.toolkit.net;

import org.jspecify.annotations.NullMarked;
