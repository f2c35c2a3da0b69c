// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Stands for a plugin: remembers calls and gives one answer, or throws it. */
final class Recorder {
  /** One call. */
  record Call(String name, List<Object> arguments) {}

  private final Object answer;
  final List<Call> calls = new ArrayList<>();

  Recorder(Object answer) {
    this.answer = answer;
  }

  <T> T as(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls.add(
                  new Call(
                      method.getName(), arguments == null ? List.of() : Arrays.asList(arguments)));
              if (answer instanceof RuntimeException failure) {
                throw failure;
              }
              if (method.getReturnType() == String.class && !(answer instanceof String)) {
                return "Old"; // for a message
              }
              return method.getReturnType() == void.class ? null : answer;
            }));
  }

  /** Returns the names of the calls. */
  List<String> names() {
    return calls.stream().map(Call::name).toList();
  }
}
