// SPDX-License-Identifier: Apache-2.0
/**
 * A guest machine in QEMU, with a Debian kernel that has what the host's may lack: RDMA verbs in
 * software (Soft-RoCE) and a queueing discipline that makes a network bad (netem). It has the
 * host's file system, read only, so programs of the host run in it as they are; the files that they
 * leave in {@code /out} are kept. The kernel is not installed: it is unpacked into the user's
 * cache. Begin with {@link io.nitinol.guest.Guest}, which tests and benchmarks call.
 */
@NullMarked
package io.nitinol.guest;

import org.jspecify.annotations.NullMarked;
