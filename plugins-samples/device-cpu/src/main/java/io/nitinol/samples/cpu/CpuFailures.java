// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.util.Locale;

/** The failures of the twin, each from one format string. */
@SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
final class CpuFailures {
  private CpuFailures() {}

  static DeviceException invalid(String format, Object... arguments) {
    return of(DeviceFailure.INVALID_ARGUMENT, format, arguments);
  }

  static DeviceException state(String format, Object... arguments) {
    return of(DeviceFailure.INVALID_STATE, format, arguments);
  }

  static DeviceException of(DeviceFailure failure, String format, Object... arguments) {
    return new DeviceException(failure, "cpu: " + String.format(Locale.ROOT, format, arguments));
  }

  static DeviceException of(
      DeviceFailure failure, Throwable cause, String format, Object... arguments) {
    return new DeviceException(
        failure, "cpu: " + String.format(Locale.ROOT, format, arguments), cause);
  }

  /** The same failure, thrown once more from another place. */
  static DeviceException again(DeviceException first) {
    return new DeviceException(first.failure(), String.valueOf(first.getMessage()), first);
  }

  static <T> T notNull(T argument, String name) {
    if (argument == null) {
      throw invalid("%s is null", name);
    }
    return argument;
  }
}
