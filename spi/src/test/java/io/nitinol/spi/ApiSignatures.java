// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes down what a plugin can see of a class: one line per member, in a fixed order. */
final class ApiSignatures {
  /** A line and what it is sorted by: fields, constructors and methods, each by name. */
  private record Member(String key, String line) {}

  private ApiSignatures() {}

  /** Returns the lines of {@code type}: its header, then its members, indented. */
  static List<String> of(Class<?> type) throws IllegalAccessException {
    List<String> lines = new ArrayList<>();
    lines.add(header(type));
    List<Member> members = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (visible(field.getModifiers()) && !field.isEnumConstant() && !field.isSynthetic()) {
        members.add(new Member("a" + field.getName(), "  field " + field(field)));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (visible(constructor.getModifiers())) {
        String text = parameters(constructor) + thrown(constructor);
        members.add(new Member("b" + text, "  new" + text));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (visible(method.getModifiers()) && !method.isSynthetic() && !implied(method)) {
        members.add(
            new Member("c" + method.getName() + parameters(method), "  method " + method(method)));
      }
    }
    members.sort(Comparator.comparing(Member::key));
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) { // in their order, which is part of the API
        lines.add("  constant " + ((Enum<?>) constant).name());
      }
    }
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        lines.add("  component " + type(component.getAnnotatedType()) + " " + component.getName());
      }
    }
    members.forEach(m -> lines.add(m.line()));
    return lines;
  }

  private static boolean visible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** The methods that the language adds to every enum and record. */
  private static boolean implied(Method method) {
    Class<?> owner = method.getDeclaringClass();
    if (owner.isEnum()) {
      return method.getName().equals("values") || method.getName().equals("valueOf");
    }
    return owner.isRecord()
        && (Arrays.stream(owner.getRecordComponents()).anyMatch(c -> c.getAccessor().equals(method))
            || List.of("equals", "hashCode", "toString").contains(method.getName()));
  }

  private static String header(Class<?> type) {
    StringBuilder line = new StringBuilder();
    int modifiers = type.getModifiers();
    if (!type.isInterface() && !type.isEnum() && !type.isRecord()) {
      line.append(Modifier.isAbstract(modifiers) ? "abstract " : "");
      line.append(Modifier.isFinal(modifiers) ? "final " : "");
    }
    line.append(type.isSealed() ? "sealed " : "");
    if (type.isAnnotation()) {
      line.append("annotation ");
    } else if (type.isInterface()) {
      line.append("interface ");
    } else if (type.isEnum()) {
      line.append("enum ");
    } else {
      line.append(type.isRecord() ? "record " : "class ");
    }
    line.append(type.getName().replace('$', '.')).append(typeParameters(type.getTypeParameters()));
    AnnotatedType parent = type.getAnnotatedSuperclass();
    if (parent != null && !type.isEnum() && !type.isRecord() && parent.getType() != Object.class) {
      line.append(" extends ").append(type(parent));
    }
    if (type.getAnnotatedInterfaces().length > 0) {
      line.append(type.isInterface() ? " extends " : " implements ");
      line.append(list(type.getAnnotatedInterfaces()));
    }
    return line.toString();
  }

  private static String field(Field field) throws IllegalAccessException {
    String line =
        modifiers(field.getModifiers()) + type(field.getAnnotatedType()) + " " + field.getName();
    boolean constant =
        Modifier.isStatic(field.getModifiers())
            && Modifier.isFinal(field.getModifiers())
            && Modifier.isPublic(field.getModifiers())
            && (field.getType().isPrimitive() || field.getType() == String.class);
    return constant ? line + " = " + field.get(null) : line; // compiled into those who use it
  }

  private static String method(Method method) {
    String kind = method.isDefault() ? "default " : "";
    String parameters = typeParameters(method.getTypeParameters());
    return kind
        + modifiers(method.getModifiers() & ~(method.isDefault() ? 0 : implicit(method)))
        + (parameters.isEmpty() ? "" : parameters + " ")
        + type(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + parameters(method)
        + thrown(method);
  }

  private static int implicit(Method method) {
    return method.getDeclaringClass().isInterface() ? Modifier.ABSTRACT : 0;
  }

  private static String modifiers(int modifiers) {
    int shown = Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT | Modifier.FINAL;
    String text = Modifier.toString(modifiers & shown);
    return text.isEmpty() ? "" : text + " ";
  }

  private static String parameters(Executable executable) {
    return "(" + list(executable.getAnnotatedParameterTypes()) + ")";
  }

  private static String thrown(Executable executable) {
    AnnotatedType[] types = executable.getAnnotatedExceptionTypes();
    return types.length == 0 ? "" : " throws " + list(types);
  }

  private static String typeParameters(TypeVariable<?>[] variables) {
    if (variables.length == 0) {
      return "";
    }
    return Stream.of(variables)
        .map(v -> {
          AnnotatedType[] bounds = v.getAnnotatedBounds();
          boolean plain = bounds.length == 1 && bounds[0].getType() == Object.class;
          return v.getName() + (plain ? "" : " extends " + list(bounds));
        })
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String list(AnnotatedType[] types) {
    return Stream.of(types).map(ApiSignatures::type).collect(Collectors.joining(", "));
  }

  /** A type with its nullness, which is as much a part of the contract as the type itself. */
  private static String type(AnnotatedType type) {
    if (type instanceof AnnotatedArrayType array) {
      return type(array.getAnnotatedGenericComponentType()) + nullness(type, " @Nullable ") + "[]";
    }
    String text = nullness(type, "@Nullable ");
    if (type instanceof AnnotatedParameterizedType parameterized) {
      Type raw = ((ParameterizedType) parameterized.getType()).getRawType();
      return text + name(raw) + "<" + list(parameterized.getAnnotatedActualTypeArguments()) + ">";
    }
    return text + name(type.getType());
  }

  private static String nullness(AnnotatedType type, String mark) {
    return type.isAnnotationPresent(Nullable.class) ? mark : "";
  }

  private static String name(Type type) {
    if (type instanceof Class<?> c) {
      String name = c.getName().replace('$', '.');
      return name.startsWith("java.lang.") && name.lastIndexOf('.') == 9
          ? name.substring(10)
          : name;
    }
    return type.getTypeName();
  }
}
