// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Loads the classes of Nitinol from the class path, each with a probe at its methods' beginnings,
 * behind each condition and where jumps lead to. What they compare with is noted: it may be what an
 * input has to have.
 */
final class ProbeLoader extends ClassLoader {
  private static final String OURS = "io.nitinol.";
  private static final String ENGINE = FuzzTarget.class.getPackageName() + ".";
  private static final ClassDesc COVERAGE = ClassDesc.of(Coverage.class.getName());
  private static final MethodTypeDesc HIT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  /** The probes of each class by methods, for each the first and the one behind the last. */
  private final Map<String, List<int[]>> probes = new TreeMap<>();

  private final Set<Object> constants = new HashSet<>();
  private final ClassFile classFiles =
      ClassFile.of(
          ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(getParent())));

  ProbeLoader() {
    super(ProbeLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.startsWith(ENGINE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    URL url = getParent().getResource(file);
    if (url == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = url.openStream()) {
      byte[] bytes = in.readAllBytes();
      byte[] probed = isTried(name) ? probed(name, bytes) : bytes;
      return defineClass(name, probed, 0, probed.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Targets and models of parsers lead to no inputs worth keeping. */
  private static boolean isTried(String name) {
    String top = name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
    return !top.endsWith("Target") && !top.endsWith("Fuzz") && !name.contains(".testing.");
  }

  private byte[] probed(String name, byte[] bytes) {
    ClassModel model = classFiles.parse(bytes);
    List<int[]> methods = new ArrayList<>();
    probes.put(name, methods);
    return classFiles.transformClass(
        model,
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            int first = Coverage.count();
            builder.transformMethod(
                method, MethodTransform.transformingCode(probing(method.code().get())));
            methods.add(new int[] {first, Coverage.count()});
          } else {
            builder.with(element);
          }
        });
  }

  private CodeTransform probing(CodeModel code) {
    Set<Label> targets = new HashSet<>();
    for (CodeElement each : code) {
      switch (each) {
        case BranchInstruction branch -> targets.add(branch.target());
        case LookupSwitchInstruction choice ->
            addTargets(targets, choice.defaultTarget(), choice.cases());
        case TableSwitchInstruction choice ->
            addTargets(targets, choice.defaultTarget(), choice.cases());
        case ExceptionCatch caught -> targets.add(caught.handler());
        case ConstantInstruction constant -> constants.add(constant.constantValue());
        default -> {}
      }
    }
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        probe(builder);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        builder.with(element);
        if (element instanceof LabelTarget at
            ? targets.contains(at.label())
            : element instanceof BranchInstruction branch && isConditional(branch.opcode())) {
          probe(builder);
        }
      }
    };
  }

  private void addTargets(Set<Label> targets, Label otherwise, List<SwitchCase> cases) {
    targets.add(otherwise);
    for (SwitchCase each : cases) {
      targets.add(each.target());
      constants.add(each.caseValue());
    }
  }

  private static boolean isConditional(Opcode opcode) {
    return opcode != Opcode.GOTO && opcode != Opcode.GOTO_W;
  }

  private static void probe(CodeBuilder builder) {
    builder.loadConstant(Coverage.add()).invokestatic(COVERAGE, "hit", HIT);
  }

  /** Returns the numbers and texts that the classes mention. */
  List<Object> constants() {
    return new ArrayList<>(constants);
  }

  /**
   * Counts the branches in the methods of a class and of its nested ones that were called.
   *
   * @return how many branches were reached, of how many; how many methods were called, of how many
   */
  int[] reached(Class<?> of, Coverage coverage) {
    int[] counts = new int[4];
    probes.forEach((name, methods) -> {
      if (name.equals(of.getName()) || name.startsWith(of.getName() + "$")) {
        counts[3] += methods.size();
        methods.stream()
            .filter(method -> coverage.isReached(method[0]))
            .forEach(method -> {
              counts[2]++;
              for (int i = method[0]; i < method[1]; i++) {
                counts[0] += coverage.isReached(i) ? 1 : 0;
                counts[1]++;
              }
            });
      }
    });
    return counts;
  }
}
