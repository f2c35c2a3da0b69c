// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin's variables, read once at init by {@code OfiNet}. Begin with {@link
 * io.nitinol.samples.libfabric.config.OfiOptions}.
 */
@NullMarked
package io.nitinol.samples.libfabric.config;

import org.jspecify.annotations.NullMarked;
