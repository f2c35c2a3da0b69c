// SPDX-License-Identifier: Apache-2.0

/**
 * What network plugins of any version do alike: {@link io.nitinol.toolkit.net.Token} tells whether
 * a token is one of theirs, {@link io.nitinol.toolkit.net.HostRegion} whether a range lies in
 * registered memory, and {@link io.nitinol.toolkit.net.Channels} moves bytes over the TCP
 * connections of a comm.
 */
@NullMarked
package io.nitinol.toolkit.net;

import org.jspecify.annotations.NullMarked;
