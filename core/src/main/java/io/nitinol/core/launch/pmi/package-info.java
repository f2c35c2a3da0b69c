// SPDX-License-Identifier: Apache-2.0
/**
 * The launcher carries the unique id from rank 0 to the others, so that the ranks meet without an
 * address or a file that a user has named.
 *
 * <p>Begin at {@link io.nitinol.core.launch.pmi.TextCarrier}. {@code core.launch} calls it on a
 * thread of its own, since no call of these protocols has a time limit.
 */
@NullMarked
package io.nitinol.core.launch.pmi;

import org.jspecify.annotations.NullMarked;
