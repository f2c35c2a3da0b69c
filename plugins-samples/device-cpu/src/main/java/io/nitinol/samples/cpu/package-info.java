// SPDX-License-Identifier: Apache-2.0

/**
 * A device provider that needs no device: its devices' memory are files in shared memory, its
 * streams are queues that a few threads work off, its kernels are those of a {@link
 * io.nitinol.spi.kernel.v1.KernelProvider}. It keeps the device interface honest in every build,
 * and is stricter than a driver: it refuses addresses that a device does not reach. It is not fast,
 * and nothing chooses it before a real device.
 *
 * <p>Begin with {@link io.nitinol.samples.cpu.CpuDeviceProvider}. Callers' threads put {@code
 * StreamOperation}s into a {@code StreamQueue}; the threads of {@code Workers} do them, each as a
 * {@code StreamWork} that never blocks: what cannot go on yet is asked again later. So a few
 * threads serve any number of streams that wait for each other, and for ranks in other processes.
 */
@NullMarked
package io.nitinol.samples.cpu;

import org.jspecify.annotations.NullMarked;
