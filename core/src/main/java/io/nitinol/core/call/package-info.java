// SPDX-License-Identifier: Apache-2.0
/**
 * A call between the communicator's method and the progress engine.
 *
 * <p>The application's thread comes in at {@link io.nitinol.core.call.CollectiveCalls}, {@link
 * io.nitinol.core.call.TransferCalls} or {@link io.nitinol.core.call.UnevenCalls}, which check the
 * arguments ({@link io.nitinol.core.call.BufferCheck}) and describe the call by one record. {@link
 * io.nitinol.core.call.Calls} leaves it to the thread's group ({@link
 * io.nitinol.core.call.GroupCalls}) or submits it: {@link io.nitinol.core.call.Submitter} chooses
 * algorithm, protocol and channels, and hands it to {@link io.nitinol.core.progress.Engine}. At the
 * end of a group {@code GroupPlan} makes as few operations as it can out of its calls.
 *
 * <p>Outside of a group a collective that was called before with the same arguments allocates
 * nothing here: {@code CallRecords} keeps the records of calls.
 */
@NullMarked
package io.nitinol.core.call;

import org.jspecify.annotations.NullMarked;
