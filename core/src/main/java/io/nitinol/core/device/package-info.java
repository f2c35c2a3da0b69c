// SPDX-License-Identifier: Apache-2.0

/**
 * A communicator's end on device memory. Begin with {@link io.nitinol.core.device.DeviceRank}, one
 * rank's end: {@link io.nitinol.core.device.TeamJoin} makes it, {@link
 * io.nitinol.core.device.DeviceCalls} checks calls, {@link io.nitinol.core.device.DeviceLauncher}
 * puts them into streams, {@link io.nitinol.core.device.StreamWait} waits for these, and {@link
 * io.nitinol.core.device.DeviceFailures} connects the failures of the communicator and of the
 * device.
 */
@NullMarked
package io.nitinol.core.device;

import org.jspecify.annotations.NullMarked;
