// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/**
 * Writes objects as bytes and reads them again, for {@link ObjectCalls}. An application gives one
 * of its own for a format such as JSON or Protocol Buffers.
 *
 * @param <T> the type of the objects
 */
@AnyThread
public interface ObjectCodec<T> {
  /** Returns an object as bytes. */
  byte[] encode(T object);

  /** Returns the object that {@link #encode} wrote, on this rank or another one. */
  T decode(byte[] bytes);

  /** Returns a codec of texts. */
  static ObjectCodec<String> ofText() {
    return new ObjectCodec<>() {
      @Override
      public byte[] encode(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public String decode(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
      }
    };
  }

  /**
   * Returns a codec by Java's own serialization. The bytes that a rank receives decide which
   * classes that creates, and Nitinol's networks do not encrypt unless they are told to: so the
   * filter names the classes that are expected, such as {@code
   * ObjectInputFilter.Config.createFilter("com.example.*;java.base/*;!*")}.
   *
   * @param type the type of the objects
   * @param filter decides about each class that is read
   */
  static <T extends Serializable> ObjectCodec<T> serialized(
      Class<T> type, ObjectInputFilter filter) {
    BufferCheck.given("codec", "type", type);
    BufferCheck.given("codec", "filter", filter);
    return new ObjectCodec<>() {
      @Override
      public byte[] encode(T object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
          out.writeObject(object);
        } catch (IOException e) {
          throw failure("write", e);
        }
        return bytes.toByteArray();
      }

      @Override
      public T decode(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
          in.setObjectInputFilter(filter);
          return type.cast(in.readObject());
        } catch (IOException | ClassNotFoundException | ClassCastException e) {
          throw failure("read", e);
        }
      }

      private CommException failure(String what, Exception e) {
        return new CommException(
            ResultCode.INVALID_ARGUMENT,
            -1,
            ErrorText.of("objects: cannot %s a %s: %s", what, type.getName(), e),
            e);
      }
    };
  }
}
