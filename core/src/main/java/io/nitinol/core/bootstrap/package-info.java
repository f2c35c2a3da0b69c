// SPDX-License-Identifier: Apache-2.0

/**
 * How the ranks of a communicator find each other and exchange small messages out of band: a unique
 * id, a root that introduces the ranks to each other, a ring of TCP connections, and direct
 * connections made when first needed.
 */
@NullMarked
package io.nitinol.core.bootstrap;

import org.jspecify.annotations.NullMarked;
