// SPDX-License-Identifier: Apache-2.0
/**
 * The adapters that make a plugin of one interface version look like one of the next: one class per
 * step, one step per version. {@code VersionLadder} of {@code core.plugin} is the table of them and
 * the only caller; a network of v6 goes through {@code NetV6ToV7} up to {@code NetV11ToV12}, a
 * network of the newest version through none. An adapter holds its plugin and hardly any other
 * state; most operations are forwarded unchanged.
 */
@NullMarked
package io.nitinol.core.plugin.adapt;

import org.jspecify.annotations.NullMarked;
