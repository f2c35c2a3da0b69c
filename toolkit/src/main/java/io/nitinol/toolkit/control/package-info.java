// SPDX-License-Identifier: Apache-2.0

/**
 * One authenticated control connection over TCP: a loop thread, a hello with proof both ways,
 * frames of bounded length, bounds against strangers, signs of life, and dialling with retry.
 *
 * <p>Begin with {@link io.nitinol.toolkit.control.ControlLoop}, the thread that serves all
 * connections of one owner, and {@link io.nitinol.toolkit.control.ControlLink}, one of them. The
 * owners are the bootstrap ({@code io.nitinol.core.bootstrap}) and the switch ({@code
 * io.nitinol.net.collnet.link}). Each brings its {@link
 * io.nitinol.toolkit.control.ControlProtocol}, its {@link io.nitinol.toolkit.proof.Greeting} and
 * the messages that its frames carry; here a frame is bytes of a known length.
 *
 * <p>A connection that proves itself goes {@link io.nitinol.toolkit.control.ControlListener},
 * {@link io.nitinol.toolkit.proof.Handshake}, {@link io.nitinol.toolkit.control.FrameReader}; the
 * page {@code docs/trust.md} has the threat model.
 */
@NullMarked
package io.nitinol.toolkit.control;

import org.jspecify.annotations.NullMarked;
