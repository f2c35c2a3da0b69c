// SPDX-License-Identifier: Apache-2.0

/**
 * The complete plugin: version 6 of the interface with all that the contract asks for, over files
 * in memory that the processes of one host share. The conformance kit is tried on it.
 *
 * <p>Read in this order. {@link io.nitinol.samples.memory.MemoryNet} is what Nitinol sees: it
 * checks what it is given and hands it on. {@code MemoryListenHandle} is what a listener tells its
 * peers, {@code ListenDirectory} where they meet; {@code MemoryListener} and {@code MemoryAttempt}
 * are the two sides of a connection that comes about step by step, {@code MemoryAttempts} remembers
 * which handle belongs to which attempt. {@code MemoryLink} is what the two ends of a connection
 * share, {@code MemorySender} and {@code Receiver} are these ends, and {@code MemoryConnection}
 * says how both fail and end. {@code ProcessWatch} notices that a peer's process is no more.
 *
 * <p>How messages find their receives: each receive that is posted is written into the link with
 * its tags, and the sender takes a message on only when the oldest of them has a free piece with
 * its tag; else the answer is null. So a message in the ring always has a place to go to, and those
 * of other tags can pass.
 *
 * <p>{@link io.nitinol.samples.memory.MemoryCollNet} reduces in the same way. {@code GroupJoin} is
 * how the members find each other, {@code MemoryGroup} what they share, {@code MemoryMember} the
 * end of one of them; {@code MemoryElements} and {@code Floats} are the arithmetic.
 *
 * <p>What it leaves out on purpose: hosts without /proc, two ends that do not see each other's
 * processes, waiting without polling, any tuning.
 *
 * <p>Try it: {@code NCCL_NET=SampleMemory ./nitinol perf all_reduce -n 2}.
 */
@NullMarked
package io.nitinol.samples.memory;

import org.jspecify.annotations.NullMarked;
