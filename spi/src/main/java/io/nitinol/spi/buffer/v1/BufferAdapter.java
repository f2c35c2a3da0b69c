// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.buffer.v1;

import org.jspecify.annotations.Nullable;

/**
 * Tells where the objects of one library have their memory, so that collectives use it without a
 * copy. Found by {@link java.util.ServiceLoader} where the application is: on its class path or
 * module path, since the objects are of the application's classes.
 *
 * <p><b>Lifetime.</b> A view is of the memory that the object has at the moment. The adapter owns
 * nothing, copies nothing and keeps no object. The application keeps the object open, and its
 * memory where it is, until the operations on the view are done; after the object has been resized
 * or reallocated it asks anew. Nitinol keeps the object reachable for as long as anybody holds the
 * segment that it makes of a view in native host memory, so that a garbage collector that frees
 * memory with its object does not free it. So an object that stores that segment is never
 * collected. A view of device memory keeps no object.
 *
 * <p>Adapters are safe for use by many threads at once.
 */
public interface BufferAdapter {

  /**
   * Returns the name by which errors call this adapter: short, printable ASCII without spaces,
   * always the same.
   *
   * @return the name, most often that of the library, for example {@code javacpp}
   */
  String name();

  /**
   * Returns where an object has its memory. Asked about objects of any class, so it is quick to
   * turn down what it does not know. The first adapter that does not return null decides: null is
   * the answer also for those classes of this library, and subclasses of its classes, that the
   * adapter does not know, since another adapter may.
   *
   * @param object any object
   * @return the memory, from the first element that the object shows to the last; null where the
   *     object is of no class that this adapter knows
   * @throws IllegalArgumentException where the adapter knows the class and the object has no memory
   *     that can be used; ends the search: closed, empty of a type, not contiguous. The message
   *     continues a sentence that begins with the class of the object, such as <q>is closed;
   *     expected an open one</q>
   */
  @Nullable BufferView view(Object object);
}
