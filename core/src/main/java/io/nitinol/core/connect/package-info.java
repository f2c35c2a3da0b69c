// SPDX-License-Identifier: Apache-2.0

/**
 * How the connections of a communicator come about: each when it is first asked for, in the
 * background, on the first transport that can connect the two ranks.
 */
@NullMarked
package io.nitinol.core.connect;

import org.jspecify.annotations.NullMarked;
