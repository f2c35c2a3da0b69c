// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.MemoryHandle;

/**
 * One member's call of iallreduce.
 *
 * @param sendMr where its contribution is
 * @param sendOffset the first byte there
 * @param recvMr where the result goes
 * @param recvOffset the first byte there
 * @param count how many elements
 * @param pair type and operator
 */
public record Reduction(
    MemoryHandle sendMr,
    long sendOffset,
    MemoryHandle recvMr,
    long recvOffset,
    long count,
    TypeAndOp pair) {}
