// SPDX-License-Identifier: Apache-2.0
/**
 * A guest machine in QEMU, with a Debian kernel that has what the host's may lack: RDMA verbs in
 * software (Soft-RoCE) and a queueing discipline that makes a network bad (netem). It has the
 * host's file system, read only, so that programs of the host run in it as they are; what they
 * leave in {@code /out} is kept. The kernel is not installed but unpacked into the user's cache.
 */
@NullMarked
package io.nitinol.guest;

import org.jspecify.annotations.NullMarked;
