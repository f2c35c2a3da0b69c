// SPDX-License-Identifier: Apache-2.0

/**
 * Which threads may call a class: {@link io.nitinol.toolkit.thread.AnyThread}, {@link
 * io.nitinol.toolkit.thread.OneThread} or {@link io.nitinol.toolkit.thread.OnlyThread}.
 *
 * <p>A class whose rule is one of these says so by the annotation; a class with a finer rule says
 * it in a sentence of its Javadoc. {@link io.nitinol.toolkit.thread.Waits} has what waits have in
 * common, and a {@link io.nitinol.toolkit.thread.WaitingCall} waits in the place of its caller.
 */
@NullMarked
package io.nitinol.toolkit.thread;

import org.jspecify.annotations.NullMarked;
