// SPDX-License-Identifier: Apache-2.0

/**
 * How the connections of a communicator come about: each when it is first asked for, in the
 * background, on the first transport that can connect the two ranks. {@link LazyConnectors} is what
 * an engine asks; {@link ConnectThread}, the thread {@code nitinol-RANK-connect}, makes what was
 * asked for, as {@link PendingSetup}s that it polls in turn. {@link CommMemory} keeps memory that a
 * connection does not let go of.
 */
@NullMarked
package io.nitinol.core.connect;

import org.jspecify.annotations.NullMarked;
