// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol top}: a live view of the communicators of this user's processes. Begin with {@link
 * io.nitinol.cli.top.TopCommand}, which takes one look after the other ({@code LiveLook}), counts
 * what has happened since the one before ({@code RankHistory}) and shows it ({@code TopText},
 * {@code TopJson}). {@code JobMembers} knows the ranks on other hosts. What is wrong with a
 * communicator is told by the {@code Diagnosis} of {@code cli.inspect}. The command's thread calls
 * all of it, but for the questions to processes, each on a thread of its own.
 */
@NullMarked
package io.nitinol.cli.top;

import org.jspecify.annotations.NullMarked;
