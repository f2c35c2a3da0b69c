// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture.wrong.eight;

/** One of eight classes in a circle, which a nested class of the last one closes. */
class One {
  Two next;
}

class Two {
  Three next;
}

class Three {
  Four next;
}

class Four {
  Five next;
}

class Five {
  Six next;
}

class Six {
  Seven next;
}

class Seven {
  Eight next;
}

class Eight {
  Inner inner;

  static class Inner {
    One next;
  }
}
