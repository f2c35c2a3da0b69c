// SPDX-License-Identifier: Apache-2.0

/**
 * What the tests of device providers are made of: a session with a provider, memory whose content
 * is known, gates that hold a stream, and teams of ranks. Begin with {@link
 * io.nitinol.tck.device.DeviceSession}. The tests in {@code tck.rules} use them.
 */
@NullMarked
package io.nitinol.tck.device;

import org.jspecify.annotations.NullMarked;
