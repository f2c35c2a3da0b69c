// SPDX-License-Identifier: Apache-2.0
/**
 * What an application uses: communicators, their calls and their errors.
 *
 * <p><b>To use it</b> begin at {@link io.nitinol.core.Communicator}, one rank's membership in a
 * group of ranks. {@link io.nitinol.core.CommConfig} configures it, {@link io.nitinol.core.Work} is
 * an operation under way, {@link io.nitinol.core.Group} submits several calls together, {@link
 * io.nitinol.core.BlockingCalls} take Java arrays and buffers as {@link io.nitinol.core.Elements},
 * {@link io.nitinol.core.PreMulSum} is an operator of one's own scalars, {@link
 * io.nitinol.core.PendingCommunicator} is made in the background, and {@link
 * io.nitinol.core.CommException} is what all of them throw. For memory of devices begin at {@link
 * io.nitinol.core.DeviceCommunicator}: {@link io.nitinol.core.Devices} finds the kind of device,
 * {@link io.nitinol.core.DeviceBuffer} names memory, and {@link io.nitinol.core.DeviceWindow} lets
 * collectives use it in place. {@link io.nitinol.core.StateDump} and {@link
 * io.nitinol.core.SettingsCheck} serve commands that explain why nothing moves or which variable is
 * misspelt.
 *
 * <p><b>To read the code</b> follow one all-reduce through the unexported packages, always
 * downhill:
 *
 * <ol>
 *   <li>{@code call}: the calling thread checks the arguments, and submits the call or leaves it to
 *       its group; {@code tuning} chooses algorithm, protocol and channels;
 *   <li>{@code schedule}: the steps of each rank on each channel, as pure data;
 *   <li>{@code progress}: the thread that waits, or else the background thread, drives the steps;
 *   <li>{@code transport}: connectors of slots carry the messages, in memory or through a plugin.
 * </ol>
 *
 * <p>Calls on device memory go through {@code device} to a plugin's kernels instead.
 *
 * <p>Before that {@code setup} makes the communicator: {@code bootstrap} lets the ranks meet,
 * {@code plugin} finds and chooses networks, {@code connect} makes connections.
 */
@NullMarked
package io.nitinol.core;

import org.jspecify.annotations.NullMarked;
