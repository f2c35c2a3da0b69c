// SPDX-License-Identifier: Apache-2.0
/**
 * The formats between a switch and its children. {@link io.nitinol.net.collnet.wire.ControlFrame}
 * is what travels on the control connection; {@link io.nitinol.net.collnet.wire.Descriptor} and
 * {@link io.nitinol.net.collnet.wire.Segments} are what travels as data. Both sides call all of it.
 */
@NullMarked
package io.nitinol.net.collnet.wire;

import org.jspecify.annotations.NullMarked;
