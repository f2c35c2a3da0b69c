// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture.wrong.nine;

/** One of nine classes that use each other in a circle. */
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
  Nine next;
}

class Nine {
  One next;
}
