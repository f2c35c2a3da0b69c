// SPDX-License-Identifier: Apache-2.0
/** The libfabric plugin beside libfabric's own test; begin with {@link FabricBench}. */
@NullMarked
package io.nitinol.bench.fabric;

import org.jspecify.annotations.NullMarked;
