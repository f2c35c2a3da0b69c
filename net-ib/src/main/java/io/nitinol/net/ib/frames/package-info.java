// SPDX-License-Identifier: Apache-2.0

/**
 * What the two sides of a connection say to each other on their TCP connection, before their cards
 * can talk and while they do: frames, each with a code that nobody else can make.
 */
@NullMarked
package io.nitinol.net.ib.frames;

import org.jspecify.annotations.NullMarked;
