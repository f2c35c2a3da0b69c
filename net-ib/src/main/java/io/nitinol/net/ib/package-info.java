// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs network plugin "IB": InfiniBand and RoCE.
 *
 * <p>Begin with {@link io.nitinol.net.ib.IbNet}, which core (or NCCL, through the native library)
 * calls. The packages in the order in which a connection meets them: {@code config} reads the
 * variables, {@code device} finds cards and ports, {@code connect} makes queue pairs over {@code
 * frames}, {@code data} moves messages through {@code memory} registered with the cards. All of
 * them call {@code verbs}, and that alone calls the bindings in {@code ffi}.
 */
@NullMarked
package io.nitinol.net.ib;

import org.jspecify.annotations.NullMarked;
