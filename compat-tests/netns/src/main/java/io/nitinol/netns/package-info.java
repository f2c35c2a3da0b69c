// SPDX-License-Identifier: Apache-2.0
/**
 * Linux network namespaces as hosts, and links between them: fast ones with a bounded rate ({@link
 * io.nitinol.netns.Veth}, {@link io.nitinol.netns.Fabric}), bad ones ({@link
 * io.nitinol.netns.BadNetwork}), and several for each host ({@link io.nitinol.netns.Cabling}).
 * {@link io.nitinol.netns.TcpTable} shows which addresses a host uses. {@link
 * io.nitinol.netns.Tmpfs} is a file system that is soon full. Nothing is visible outside, and all
 * of it ends with the process that made it, however that ends. Tests and benchmarks call these
 * classes; begin with {@link io.nitinol.netns.Namespace}.
 */
@NullMarked
package io.nitinol.netns;

import org.jspecify.annotations.NullMarked;
