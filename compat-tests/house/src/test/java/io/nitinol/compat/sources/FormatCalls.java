// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.sources;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * The calls in source files that format a text by a literal: {@code ErrorText.of}, {@code
 * String.format}, {@code printf}, {@code "...".formatted}, and the kit's {@code session.check} and
 * {@code session.require}. Files are parsed and not compiled, so that types are not known: a name
 * decides, and an argument of the wrong type is not noticed. A method of the same file that hands
 * on its parameters {@code String format, Object... arguments} counts as well.
 *
 * @param texts how many formats were found
 * @param mistakes what is wrong with some, each with its file and line
 */
record FormatCalls(int texts, List<String> mistakes) {
  /** The parameter's name of a method that hands a format on. */
  private static final String FORMAT = "format";

  /** Reads source files. */
  static FormatCalls in(Iterable<? extends JavaFileObject> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, files);
    Search search = new Search(Trees.instance(task));
    for (CompilationUnitTree unit : task.parse()) {
      search.unit = unit;
      search.forwarders.clear();
      new Forwarders(search.forwarders).scan(unit, null);
      search.scan(unit, null);
    }
    return new FormatCalls(search.texts, search.mistakes);
  }

  /** Returns what is wrong with a format for this many arguments; empty where it fits. */
  static String mistake(String format, int arguments) {
    try {
      String _ = String.format(Locale.ROOT, format, new Object[arguments]);
    } catch (IllegalFormatException e) {
      return "\"%s\" does not go with %d arguments: %s".formatted(format, arguments, e);
    }
    if (arguments == 0) {
      return "";
    }
    try {
      String _ = String.format(Locale.ROOT, format, new Object[arguments - 1]);
    } catch (IllegalFormatException e) {
      return "";
    }
    return "\"%s\" does not use the last of %d arguments".formatted(format, arguments);
  }

  /** Finds the methods of a file that take a format and its arguments, and hand them on. */
  private static final class Forwarders extends TreeScanner<Void, Void> {
    private final Map<String, Integer> found;

    Forwarders(Map<String, Integer> found) {
      this.found = found;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      List<String> names =
          method.getParameters().stream().map(each -> each.getName().toString()).toList();
      int format = names.indexOf(FORMAT);
      if (format >= 0 && format == names.size() - 2 && method.toString().contains("...")) {
        found.put(method.getName().toString(), format);
      }
      return super.visitMethod(method, unused);
    }
  }

  private static final class Search extends TreeScanner<Void, Void> {
    private final Trees trees;
    private final List<String> mistakes = new ArrayList<>();
    private final Map<String, Integer> forwarders = new HashMap<>();
    private CompilationUnitTree unit;
    private int texts;

    Search(Trees trees) {
      this.trees = trees;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
      List<? extends ExpressionTree> arguments = call.getArguments();
      if (call.getMethodSelect() instanceof IdentifierTree own
          && forwarders.containsKey(own.getName().toString())) {
        lookAt(call, forwarders.get(own.getName().toString()));
      }
      if (call.getMethodSelect() instanceof MemberSelectTree select) {
        String receiver = lastName(select.getExpression());
        String name = select.getIdentifier().toString();
        switch (name) {
          case "formatted" -> look(call, select.getExpression(), arguments.size());
          case "of" -> {
            if (receiver.equals("ErrorText")) {
              lookAt(call, 0);
              if (literals(arguments.getFirst()).isEmpty()
                  && !arguments.getFirst().toString().equals(FORMAT)) {
                add(call, "the format is no literal");
              }
            }
          }
          case "format" -> {
            if (receiver.equals("String")) {
              lookAt(call, isLocale(arguments.getFirst()) ? 1 : 0);
            }
          }
          case "printf" -> lookAt(call, isLocale(arguments.getFirst()) ? 1 : 0);
          case "check" -> {
            if (receiver.equals("session")) {
              lookAt(call, 1);
            }
          }
          case "require" -> {
            if (receiver.equals("session")) {
              lookAt(call, 2);
            }
          }
          default -> {}
        }
      }
      return super.visitMethodInvocation(call, unused);
    }

    private void lookAt(MethodInvocationTree call, int format) {
      int arguments = call.getArguments().size();
      if (format < arguments) {
        look(call, call.getArguments().get(format), arguments - format - 1);
      }
    }

    private void look(Tree place, ExpressionTree format, int arguments) {
      for (String text : literals(format)) {
        texts++;
        String mistake = mistake(text, arguments);
        if (!mistake.isEmpty()) {
          add(place, mistake);
        }
      }
    }

    private void add(Tree place, String mistake) {
      long at = trees.getSourcePositions().getStartPosition(unit, place);
      mistakes.add(
          "%s:%d: %s"
              .formatted(
                  unit.getSourceFile().getName(), unit.getLineMap().getLineNumber(at), mistake));
    }

    /** Returns the texts that an expression of literals may have; none where it is another one. */
    private static List<String> literals(ExpressionTree expression) {
      return switch (expression) {
        case LiteralTree literal when literal.getValue() instanceof String text -> List.of(text);
        case ParenthesizedTree parenthesized -> literals(parenthesized.getExpression());
        case ConditionalExpressionTree either ->
            Stream.of(either.getTrueExpression(), either.getFalseExpression())
                .flatMap(one -> literals(one).stream())
                .toList();
        case BinaryTree sum when sum.getKind() == Tree.Kind.PLUS -> {
          List<String> rights = literals(sum.getRightOperand());
          yield literals(sum.getLeftOperand()).stream()
              .flatMap(left -> rights.stream().map(right -> left + right))
              .toList();
        }
        default -> List.of();
      };
    }

    private static boolean isLocale(ExpressionTree expression) {
      return expression instanceof MemberSelectTree select
          && lastName(select.getExpression()).equals("Locale");
    }

    private static String lastName(ExpressionTree expression) {
      String text = expression.toString();
      return text.substring(text.lastIndexOf('.') + 1);
    }
  }
}
