// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol perf --device}: the same measurements on the memory of devices, as nccl-tests
 * makes them.
 *
 * <p>Begin at {@code PerfDeviceSession}, which stands where the package above has the session of a
 * communicator of host memory. {@code PerfDeviceChoice} finds the kind of device. The host makes
 * and checks the data in pinned memory that has the layout of the device's ({@code
 * MirroredMemory}). One thread, that of its rank, uses a session.
 */
@NullMarked
package io.nitinol.cli.perf.device;

import org.jspecify.annotations.NullMarked;
