// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol perf}: what nccl-tests' programs do. It runs a collective over a range of sizes,
 * types and operators, times it, checks every element on every rank, and prints nccl-tests' table.
 */
@NullMarked
package io.nitinol.cli.perf;

import org.jspecify.annotations.NullMarked;
