// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.jars;

import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.tuner.v1.Tuner;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The source of a plugin class for any interface version: it has a name and devices, and everything
 * else throws UnsupportedOperationException unless a test says what it does.
 */
public final class PluginClass {
  private final Class<?> service;
  private final String className;
  private final Map<String, String> bodies = new TreeMap<>();
  private String head = "";
  private String modifiers = "public";
  private String parent = "";

  private PluginClass(Class<?> service, String className, String name) {
    this.service = service;
    this.className = className;
    body("name", "return \"" + name + "\";");
    body("init", "");
    body("supports", "return false;");
    body("finalizeContext", "");
    if (service != Tuner.class) {
      devices(1);
      properties("eth");
    }
  }

  /** Starts a Net of an interface version. */
  public static PluginClass net(int version, String className, String name) {
    return new PluginClass(serviceClass("net", version, "Net"), className, name);
  }

  /** Starts a CollNet of an interface version. */
  public static PluginClass collNet(int version, String className, String name) {
    return new PluginClass(serviceClass("collnet", version, "CollNet"), className, name);
  }

  /** Starts a tuner, which changes nothing. */
  public static PluginClass tuner(String className, String name) {
    return new PluginClass(Tuner.class, className, name)
        .body("init", "return new io.nitinol.spi.tuner.v1.Tuner.Context() {};")
        .body("tune", "")
        .body("destroy", "");
  }

  private static Class<?> serviceClass(String kind, int version, String simpleName) {
    try {
      return Class.forName("io.nitinol.spi." + kind + ".v" + version + "." + simpleName);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(kind + " has no version " + version, e);
    }
  }

  /** Sets the number of devices. */
  public PluginClass devices(int count) {
    return body("devices", "return " + count + ";");
  }

  /** Sets the statements of {@code init}, whose first parameter is {@code a0}. */
  public PluginClass init(String statements) {
    return body("init", statements);
  }

  /** Returns what {@code init} ends with: from version 11 on it opens a context. */
  private static String end(Method method) {
    return method.getReturnType() == NetContext.class
        ? " if (a0 == a0) { return new io.nitinol.spi.net.NetContext() {}; }"
            + " throw new AssertionError();"
        : "";
  }

  /** Sets the statements of a method, whose parameters are a0, a1 and so on. */
  public PluginClass body(String method, String statements) {
    bodies.put(method, statements);
    return this;
  }

  /** Adds members: fields, constructors, static methods. */
  public PluginClass members(String source) {
    head += source + "\n";
    return this;
  }

  /** Sets the modifiers of the class instead of {@code public}. */
  public PluginClass modifiers(String text) {
    modifiers = text;
    return this;
  }

  /** Sets the superclass. */
  public PluginClass extending(String superclass) {
    parent = " extends " + superclass;
    return this;
  }

  private void properties(String device) {
    Class<?> type =
        Arrays.stream(service.getMethods())
            .filter(m -> m.getName().equals("getProperties"))
            .findFirst()
            .orElseThrow()
            .getReturnType();
    String values =
        Arrays.stream(type.getRecordComponents())
            .map(component -> value(component.getName(), device))
            .collect(Collectors.joining(", "));
    body("getProperties", "return new " + type.getName() + "(" + values + ");");
  }

  private static String value(String property, String device) {
    return switch (property) {
      case "name" -> "\"" + device + "\" + a0";
      case "pciPath" -> "null";
      case "guid" -> "a0";
      case "ptrSupport", "port" -> "1";
      case "regIsGlobal", "forceFlush" -> "false";
      case "speed" -> "10000";
      case "latency" -> "2.5f";
      case "maxComms" -> "64";
      case "maxRecvs" -> "8";
      case "netDeviceType" -> "io.nitinol.spi.net.NetDeviceType.HOST";
      case "netDeviceVersion" -> "0";
      case "virtualDevice" -> "io.nitinol.spi.net.VirtualDevice.physical(a0)";
      case "maxP2pBytes", "maxCollBytes" -> "1L << 30";
      case "maxMultiRequestSize" -> "1";
      case "railId", "planeId" -> "(short) -1";
      default -> throw new IllegalArgumentException("no value for property " + property);
    };
  }

  String className() {
    return className;
  }

  String service() {
    return service.getName();
  }

  String source() {
    int dot = className.lastIndexOf('.');
    String methods =
        Arrays.stream(service.getMethods())
            .filter(m -> !Modifier.isStatic(m.getModifiers()))
            .filter(m -> service != Tuner.class || !m.isDefault())
            .map(this::method)
            .collect(Collectors.joining());
    return """
    package %s;
    %s class %s%s implements %s {
    %s%s}
    """
        .formatted(
            className.substring(0, dot),
            modifiers,
            className.substring(dot + 1),
            parent,
            service.getName(),
            head,
            methods);
  }

  private String method(Method method) {
    Class<?>[] types = method.getParameterTypes();
    StringBuilder parameters = new StringBuilder();
    for (int i = 0; i < types.length; i++) {
      parameters.append(i == 0 ? "" : ", ").append(types[i].getCanonicalName()).append(" a" + i);
    }
    return "  public %s %s(%s) { %s }%n"
        .formatted(
            method.getReturnType().getCanonicalName(),
            method.getName(),
            parameters,
            bodies.getOrDefault(
                    method.getName(),
                    "throw new UnsupportedOperationException(\"not in this test\");")
                + end(method));
  }
}
