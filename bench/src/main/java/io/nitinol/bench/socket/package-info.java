// SPDX-License-Identifier: Apache-2.0
/**
 * The TCP plugin against other ways to use TCP: a C program, UCX through JUCX, iperf3. Each side is
 * two processes, over loopback or between network namespaces.
 */
@NullMarked
package io.nitinol.bench.socket;

import org.jspecify.annotations.NullMarked;
