// SPDX-License-Identifier: Apache-2.0

/** All-reduce between processes of one host, against Open MPI and MPICH in the same run. */
@NullMarked
package io.nitinol.bench.allreduce;

import org.jspecify.annotations.NullMarked;
