// SPDX-License-Identifier: Apache-2.0

/**
 * The socket by which {@code nitinol top} asks a process where its communicators stand.
 *
 * <p>Begin with {@link io.nitinol.core.live.LiveServer}, which a process with communicators opens
 * once; its one daemon thread answers. {@link io.nitinol.core.live.LiveDirectory} says where the
 * sockets are, and {@link io.nitinol.core.live.LiveProcess} asks one. What is answered comes from
 * {@code core.setup}. With {@link io.nitinol.core.live.LiveRequest#JOB} a process also tells where
 * the other ranks are, whose processes are asked by {@code MemberLook} of {@code core.bootstrap}.
 */
@NullMarked
package io.nitinol.core.live;

import org.jspecify.annotations.NullMarked;
