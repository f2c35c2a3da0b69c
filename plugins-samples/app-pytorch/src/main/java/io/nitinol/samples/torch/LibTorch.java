// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * PyTorch's library by its C functions, which its compiler's models use, too: {@code
 * torch/csrc/inductor/aoti_torch/c/shim.h}. PyTorch keeps their ABI; 2.7 and later have all of
 * these. No Python is in the process, and no JNI. For one thread, since a stream that is current is
 * so for a thread.
 *
 * <p>A function returns 0, or else PyTorch has written its error to standard error.
 */
final class LibTorch implements AutoCloseable {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
  private static final int MOST_ARGUMENTS = 8;
  private static final int MOST_DIMENSIONS = 2;

  private final Arena arena = Arena.ofConfined();
  private final SymbolLookup library;
  private final boolean cuda;
  private final int device;
  private final int deviceType;
  private final int cpuType;
  private final int float32;

  private final MethodHandle empty;
  private final MethodHandle view;
  private final MethodHandle delete;
  private final MethodHandle share;
  private final MethodHandle dataPointer;
  private final MethodHandle copy;
  private final MethodHandle multiply;
  private final MethodHandle multiplyAdd;
  private final MethodHandle call;

  /** Filled again for each call. */
  private final MemorySegment sizes = arena.allocate(LONG, MOST_DIMENSIONS);

  private final MemorySegment strides = arena.allocate(LONG, MOST_DIMENSIONS);
  private final MemorySegment result = arena.allocate(ValueLayout.ADDRESS);
  private final MemorySegment stack = arena.allocate(LONG, MOST_ARGUMENTS);
  private final MemorySegment noOverload = arena.allocateFrom("");
  private final MemorySegment tensorOverload = arena.allocateFrom("Tensor");

  /**
   * Loads the library.
   *
   * @param directory where {@code libtorch.so} is, with the libraries that it needs
   * @param cudaDevice the number of the GPU that tensors are on, or -1 for the CPU
   */
  LibTorch(Path directory, int cudaDevice) throws IOException {
    Path file = directory.resolve("libtorch.so");
    if (!Files.exists(file)) {
      throw new IOException(
          "NITINOL_TORCH_LIB is "
              + directory
              + ", where no libtorch.so is; the README says where to"
              + " get one");
    }
    try {
      library = SymbolLookup.libraryLookup(file, arena);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " cannot be loaded; its libraries must lie beside it", e);
    }
    cuda = cudaDevice >= 0;
    device = Math.max(0, cudaDevice);
    try {
      float32 = (int) function("aoti_torch_dtype_float32", INT).invokeExact();
      cpuType = (int) function("aoti_torch_device_type_cpu", INT).invokeExact();
      deviceType =
          cuda ? (int) function("aoti_torch_device_type_cuda", INT).invokeExact() : cpuType;
    } catch (Throwable e) {
      throw rethrown(e);
    }
    empty =
        function("aoti_torch_empty_strided", INT, LONG, POINTER, POINTER, INT, INT, INT, POINTER);
    view =
        function(
            "aoti_torch__reinterpret_tensor", INT, LONG, LONG, POINTER, POINTER, LONG, POINTER);
    delete = function("aoti_torch_delete_tensor_object", INT, LONG);
    share = function("aoti_torch_new_tensor_handle", INT, LONG, POINTER);
    dataPointer = function("aoti_torch_get_data_ptr", INT, LONG, POINTER);
    copy = function("aoti_torch_copy_", INT, LONG, LONG, INT);
    multiply = function("aoti_torch_mm_out", INT, LONG, LONG, LONG);
    multiplyAdd =
        function(
            "aoti_torch_addmm_out",
            INT,
            LONG,
            LONG,
            LONG,
            LONG,
            ValueLayout.JAVA_FLOAT,
            ValueLayout.JAVA_FLOAT);
    call = function("aoti_torch_call_dispatcher", INT, POINTER, POINTER, POINTER);
  }

  private MethodHandle function(String name, MemoryLayout returned, MemoryLayout... arguments) {
    MemorySegment address =
        library
            .find(name)
            .orElseThrow(() ->
                new IllegalStateException(
                    "this PyTorch has no "
                        + name
                        + ": 2.7 or later has it"
                        + (cuda ? ", built with CUDA" : "")));
    return Linker.nativeLinker()
        .downcallHandle(address, FunctionDescriptor.of(returned, arguments));
  }

  private static RuntimeException rethrown(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
  }

  private static void check(int status, String what) {
    if (status != 0) {
      throw new IllegalStateException("PyTorch failed in " + what + "; it says why above");
    }
  }

  /** Returns the driver's handle of the stream that PyTorch puts its kernels in; 0 on the CPU. */
  long currentStream() {
    if (!cuda) {
      return 0;
    }
    MethodHandle current = function("aoti_torch_get_current_cuda_stream", INT, INT, POINTER);
    try {
      check((int) current.invokeExact(device, result), "the current stream");
    } catch (Throwable e) {
      throw rethrown(e);
    }
    return result.get(ValueLayout.ADDRESS, 0).address();
  }

  /** Returns a tensor of the device with any content, from PyTorch's own allocator. */
  Tensor empty(long rows, long columns) {
    return empty(rows, columns, deviceType, device);
  }

  private Tensor empty(long rows, long columns, int type, int number) {
    shape(rows, columns, columns, 1);
    try {
      check(
          (int) empty.invokeExact(2L, sizes, strides, float32, type, number, result),
          "an allocation");
    } catch (Throwable e) {
      throw rethrown(e);
    }
    return new Tensor(result.get(LONG, 0), rows, columns);
  }

  private void shape(long rows, long columns, long rowStride, long columnStride) {
    sizes.set(LONG, 0, rows);
    sizes.set(LONG, Long.BYTES, columns);
    strides.set(LONG, 0, rowStride);
    strides.set(LONG, Long.BYTES, columnStride);
  }

  /** Returns a tensor of the device with these numbers, row by row. */
  Tensor of(long rows, long columns, float[] numbers) {
    Tensor tensor = empty(rows, columns);
    try (Tensor host = empty(rows, columns, cpuType, 0)) {
      MemorySegment.copy(
          numbers, 0, bytes(host), ValueLayout.JAVA_FLOAT, 0, Math.toIntExact(rows * columns));
      copy(tensor, host);
    }
    return tensor;
  }

  /** Returns the numbers of a contiguous tensor, when all work of the stream is done. */
  float[] read(Tensor tensor) {
    try (Tensor host = empty(tensor.rows, tensor.columns, cpuType, 0)) {
      copy(host, tensor);
      return bytes(host).toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  private void copy(Tensor to, Tensor from) {
    try {
      check((int) copy.invokeExact(to.handle, from.handle, 0), "a copy");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  private MemorySegment bytes(Tensor tensor) {
    long size = tensor.rows * tensor.columns * Float.BYTES;
    return MemorySegment.ofAddress(tensor.address()).reinterpret(size);
  }

  /** out = left × right. */
  void multiply(Tensor out, Tensor left, Tensor right) {
    try {
      check((int) multiply.invokeExact(out.handle, left.handle, right.handle), "mm");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** out = added + factor × left × right. */
  void multiplyAdd(Tensor out, Tensor added, Tensor left, Tensor right, float factor) {
    try {
      check(
          (int)
              multiplyAdd.invokeExact(
                  out.handle, added.handle, left.handle, right.handle, 1.0F, factor),
          "addmm");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Returns {@code aten::relu} or another function of one tensor. */
  Tensor map(MemorySegment function, Tensor of) {
    push(0, of);
    return dispatch(function, noOverload, of);
  }

  /** Returns {@code aten::mul} or another function of two tensors of one shape. */
  Tensor combine(MemorySegment function, Tensor left, Tensor right) {
    push(0, left);
    push(1, right);
    return dispatch(function, tensorOverload, left);
  }

  /** Returns {@code aten::_softmax} of each row. */
  Tensor softmax(MemorySegment function, Tensor of) {
    push(0, of);
    stack.setAtIndex(LONG, 1, 1); // the dimension
    stack.setAtIndex(LONG, 2, 0); // not from half to float
    return dispatch(function, noOverload, of);
  }

  /** Returns the name of a function for the methods above. */
  MemorySegment name(String function) {
    return arena.allocateFrom("aten::" + function);
  }

  /** The function takes a handle of its own. */
  private void push(int place, Tensor tensor) {
    try {
      check((int) share.invokeExact(tensor.handle, result), "a handle");
    } catch (Throwable e) {
      throw rethrown(e);
    }
    stack.setAtIndex(LONG, place, result.get(LONG, 0));
  }

  private Tensor dispatch(MemorySegment function, MemorySegment overload, Tensor shape) {
    try {
      check((int) call.invokeExact(function, overload, stack), function.getString(0));
    } catch (Throwable e) {
      throw rethrown(e);
    }
    return new Tensor(stack.get(LONG, 0), shape.rows, shape.columns);
  }

  @Override
  public void close() {
    arena.close();
  }

  /**
   * A matrix of floats, freed by {@link #close}; its memory is freed with the last of its views.
   */
  final class Tensor implements AutoCloseable {
    private final long handle;
    final long rows;
    final long columns;

    private Tensor(long handle, long rows, long columns) {
      this.handle = handle;
      this.rows = rows;
      this.columns = columns;
    }

    /** Returns the address of the first number, in the device's memory. */
    long address() {
      try {
        check((int) dataPointer.invokeExact(handle, result), "an address");
      } catch (Throwable e) {
        throw rethrown(e);
      }
      return result.get(ValueLayout.ADDRESS, 0).address();
    }

    /** Returns some of these numbers as a matrix of their own, without a copy. */
    Tensor part(long first, long rows, long columns) {
      return view(first, rows, columns, columns, 1);
    }

    Tensor transposed() {
      return view(0, columns, rows, 1, columns);
    }

    /** Returns a matrix of so many rows, each of which is this one. */
    Tensor repeated(long rows) {
      return view(0, rows, columns, 0, 1);
    }

    private Tensor view(long first, long rows, long columns, long rowStride, long columnStride) {
      shape(rows, columns, rowStride, columnStride);
      try {
        check((int) view.invokeExact(handle, 2L, sizes, strides, first, result), "a view");
      } catch (Throwable e) {
        throw rethrown(e);
      }
      return new Tensor(result.get(LONG, 0), rows, columns);
    }

    @Override
    public void close() {
      try {
        check((int) delete.invokeExact(handle), "a release");
      } catch (Throwable e) {
        throw rethrown(e);
      }
    }
  }
}
