// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ServiceConfigurationError;

/**
 * Makes a provider as ServiceLoader makes those of named modules: by its public static method
 * {@code provider()}, or else by its public constructor. For modular jars that are loaded as a
 * class path, where ServiceLoader does not look at their descriptor.
 */
final class DeclaredProvider {
  private DeclaredProvider() {}

  /**
   * Returns a new provider.
   *
   * @throws ServiceConfigurationError when {@code type} is no provider of {@code service} or fails
   */
  static Object create(Class<?> type, Class<?> service) {
    try {
      for (Method method : type.getMethods()) {
        if (method.getName().equals("provider")
            && method.getParameterCount() == 0
            && method.getDeclaringClass() == type
            && Modifier.isStatic(method.getModifiers())) {
          return service.cast(method.invoke(null));
        }
      }
      return service.cast(type.getConstructor().newInstance());
    } catch (InvocationTargetException e) {
      throw new ServiceConfigurationError(
          "Provider " + type.getName() + " could not be instantiated", e.getCause());
    } catch (NoSuchMethodException e) {
      throw new ServiceConfigurationError(
          "Provider " + type.getName() + " has no public constructor without parameters", e);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new ServiceConfigurationError(
          "Provider " + type.getName() + " is no usable provider of " + service.getName(), e);
    }
  }
}
