/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds a JVM and starts it as a guest: in a thread of its own, and so that the host's signal handlers, locale and
 * limits stay what they were. Whatever goes wrong is a sentence for the host's log.
 */
#define _GNU_SOURCE
#include "export.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <jni.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OLDEST_JAVA = 25, MOST_OPTIONS = 64, LAST_SIGNAL = 31, LONGEST_START = 120 };
#define EXPORT_CLASS "io/nitinol/net/nativeabi/export/NativeExport"
#define OUR_MODULES "io.nitinol.net.socket,io.nitinol.net.ib,io.nitinol.net.collnet,io.nitinol.net.nativeabi"

struct start {
  struct export *export;
  char *why;
  int room;
  char home[PATH_MAX]; /* of the Java run time; empty: the process has a JVM */
  char modules[PATH_MAX]; /* the module path; empty: the run time has Nitinol's modules itself */
  void *libjvm;
  pthread_mutex_t lock;
  pthread_cond_t over;
  int result; /* -1 while it is not known */
};

static char jvm_said[1024];

static void say(struct start *start, const char *format, ...) {
  va_list arguments;
  size_t used = strlen(start->why);
  if ((int)used >= start->room) return;
  va_start(arguments, format);
  vsnprintf(start->why + used, start->room - used, format, arguments);
  va_end(arguments);
}

/* The run time's version by the file "release" in its home; 0 where there is none. */
static int version_of(const char *home) {
  char path[PATH_MAX + 16], line[256];
  int version = 0;
  snprintf(path, sizeof path, "%s/release", home);
  FILE *file = fopen(path, "re");
  while (file != NULL && version == 0 && fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "JAVA_VERSION=\"%d", &version);
  }
  if (file != NULL) fclose(file);
  return version;
}

/* Takes a run time if it is one and new enough. */
static int take(struct start *start, const char *from, const char *home) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/lib/server/libjvm.so", home);
  if (access(path, R_OK) != 0) {
    say(start, " %s has no Java run time in %s (%s: %s);", from, home, path, strerror(errno));
    return 0;
  }
  int version = version_of(home);
  if (version < OLDEST_JAVA) {
    say(start, " %s has Java %d in %s, and %d or newer is needed;", from, version, home, OLDEST_JAVA);
    return 0;
  }
  snprintf(start->home, sizeof start->home, "%s", home);
  return 1;
}

static int take_from_path(struct start *start) {
  char path[PATH_MAX], java[PATH_MAX + 8], real[PATH_MAX];
  const char *rest = getenv("PATH");
  while (rest != NULL && *rest != 0) {
    int length = (int)strcspn(rest, ":");
    snprintf(java, sizeof java, "%.*s/java", length, rest);
    rest += length + (rest[length] == ':');
    if (access(java, X_OK) == 0 && realpath(java, real) != NULL) {
      snprintf(path, sizeof path, "%s", dirname(dirname(real)));
      if (take(start, "PATH", path)) return 1;
    }
  }
  return 0;
}

static int take_known(struct start *start) {
  glob_t homes;
  int taken = 0;
  if (glob("/usr/lib/jvm/*", GLOB_ONLYDIR, NULL, &homes) == 0) {
    glob("/opt/*", GLOB_ONLYDIR | GLOB_APPEND, NULL, &homes);
    for (size_t i = 0; i < homes.gl_pathc && !taken; i++) {
      if (version_of(homes.gl_pathv[i]) > 0) taken = take(start, "this machine", homes.gl_pathv[i]);
    }
    globfree(&homes);
  }
  return taken;
}

/*
 * The library is in lib/nccl of a distribution, which is a run time with Nitinol's modules, or in target/nccl of a
 * build, beside which cli/target has the jars.
 */
static int find(struct start *start) {
  static const char *const jars[] = {"../cli/target/run/current", "../cli/target/app"};
  char library[PATH_MAX], root[PATH_MAX], path[PATH_MAX + 32];
  const char *named = getenv("NITINOL_JAVA_HOME"), *modules = getenv("NITINOL_MODULE_PATH"), *java_home = getenv("JAVA_HOME");
  if (realpath(start->export->library, library) == NULL) snprintf(library, sizeof library, "%s", start->export->library);
  snprintf(root, sizeof root, "%s", dirname(dirname(dirname(library))));
  if (modules != NULL && *modules != 0) {
    snprintf(start->modules, sizeof start->modules, "%s", modules);
  }
  for (size_t i = 0; start->modules[0] == 0 && i < sizeof jars / sizeof *jars; i++) {
    snprintf(path, sizeof path, "%s/%s", root, jars[i]);
    if (access(path, R_OK) == 0 && realpath(path, start->modules) == NULL) start->modules[0] = 0;
  }
  if (named != NULL && *named != 0) {
    return take(start, "NITINOL_JAVA_HOME", named);
  }
  snprintf(path, sizeof path, "%s/lib/server/libjvm.so", root);
  return (access(path, R_OK) == 0 && take(start, "the distribution", root)) ||
         (java_home != NULL && *java_home != 0 && take(start, "JAVA_HOME", java_home)) || take_from_path(start) || take_known(start);
}

static void finish(struct start *start, int result) {
  pthread_mutex_lock(&start->lock);
  start->result = result;
  pthread_cond_signal(&start->over);
  pthread_mutex_unlock(&start->lock);
}

static struct start *under_way; /* while the JVM is being made */
static pthread_t maker;

/* Hears what a JVM says about options that it does not take. */
static jint JNICALL hear(FILE *file, const char *format, va_list arguments) {
  if (under_way == NULL || !pthread_equal(pthread_self(), maker)) return vfprintf(file, format, arguments);
  size_t used = strlen(jvm_said);
  int length = vsnprintf(jvm_said + used, sizeof jvm_said - used, format, arguments);
  for (char *c = jvm_said + used; *c != 0; c++) {
    if (*c == '\n') *c = ' ';
  }
  return length;
}

/* A JVM that cannot go on while it starts wants to end the process. Its thread is held instead, for ever. */
static void stay(void) {
  if (under_way == NULL || !pthread_equal(pthread_self(), maker)) return;
  say(under_way, "the JVM of %s does not start: %s", under_way->home, jvm_said[0] == 0 ? "standard error has its words" : jvm_said);
  finish(under_way, 1);
  for (;;) pause();
}

static void JNICALL stay_at_exit(jint code) {
  (void)code;
  stay();
}

static int create(struct start *start, JavaVM **vm, JNIEnv **env) {
  char module_path[PATH_MAX + 32], extra[4096], *rest = extra;
  const char *asked = getenv("NITINOL_JVM_OPTIONS");
  JavaVMOption options[MOST_OPTIONS] = {{"exit", (void *)stay_at_exit}, {"abort", (void *)stay}, {"vfprintf", (void *)hear}};
  int n = 3;
  /* Signals, file limits and /tmp stay the host's; a plugin needs little heap, since its data are not in it. */
  options[n++].optionString = "-Xrs";
  options[n++].optionString = "-XX:-MaxFDLimit";
  options[n++].optionString = "-XX:-UsePerfData";
  options[n++].optionString = "-XX:+UseSerialGC";
  options[n++].optionString = "-Xms16m";
  options[n++].optionString = "-Xmx256m";
  options[n++].optionString = "-XX:MaxDirectMemorySize=1024g";
  options[n++].optionString = "-Xlog:disable";
  options[n++].optionString = "-Xlog:all=warning:stderr";
  options[n++].optionString = "-Xlog:cds*=off";
  options[n++].optionString = "--enable-native-access=io.nitinol.core," OUR_MODULES;
  if (start->modules[0] != 0) {
    snprintf(module_path, sizeof module_path, "--module-path=%s", start->modules);
    options[n++].optionString = module_path;
    options[n++].optionString = "--add-modules=ALL-MODULE-PATH";
  } else {
    options[n++].optionString = "--add-modules=" OUR_MODULES;
  }
  int length = snprintf(extra, sizeof extra, "%s", asked == NULL ? "" : asked), own = n;
  for (char *word; n <= MOST_OPTIONS && (word = strtok_r(rest, " \t\n", &rest)) != NULL; n++) {
    if (n < MOST_OPTIONS) options[n].optionString = word;
  }
  if (n > MOST_OPTIONS || length >= (int)sizeof extra) {
    say(start, "NITINOL_JVM_OPTIONS has more than %d options or %zu characters", MOST_OPTIONS - own, sizeof extra - 1);
    return 0;
  }
  JavaVMInitArgs arguments = {.version = JNI_VERSION_10, .nOptions = n, .options = options};
  jint (*make)(JavaVM **, void **, void *) = (jint (*)(JavaVM **, void **, void *))dlsym(start->libjvm, "JNI_CreateJavaVM");
  maker = pthread_self();
  under_way = start;
  jint result = make == NULL ? JNI_ERR : make(vm, (void **)env, &arguments);
  under_way = NULL;
  if (result != JNI_OK) {
    say(start, "the JVM of %s does not start (JNI_CreateJavaVM returned %d): %s%s%s", start->home, result, jvm_said,
        asked == NULL ? "" : "; NITINOL_JVM_OPTIONS is ", asked == NULL ? "" : asked);
  }
  return result == JNI_OK;
}

/* Takes the JVM that the host has: in Java programs that use NCCL, and in tests. */
static int attach(struct start *start, JavaVM **vm, JNIEnv **env) {
  jint (*made)(JavaVM **, jsize, jsize *) = (jint (*)(JavaVM **, jsize, jsize *))dlsym(start->libjvm, "JNI_GetCreatedJavaVMs");
  jsize count = 0;
  return made != NULL && made(vm, 1, &count) == JNI_OK && count > 0 &&
         (**vm)->AttachCurrentThreadAsDaemon(*vm, (void **)env, NULL) == JNI_OK;
}

static int call(struct start *start, JNIEnv *env, const char *where) {
  jclass entry = (*env)->FindClass(env, EXPORT_CLASS);
  jmethodID method = entry == NULL ? NULL : (*env)->GetStaticMethodID(env, entry, "start", "(J)Ljava/lang/String;");
  if (method == NULL) {
    (*env)->ExceptionClear(env);
    say(start, "Java in %s has no class " EXPORT_CLASS " (module io.nitinol.net.nativeabi); looked for it in %s", where,
        start->modules[0] == 0 ? "the run time itself" : start->modules);
    return 0;
  }
  jstring wrong = (*env)->CallStaticObjectMethod(env, entry, method, (jlong)(intptr_t)start->export);
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionDescribe(env);
    (*env)->ExceptionClear(env);
    say(start, "Java failed to fill the tables; standard error has its words");
    return 0;
  }
  const char *text = wrong == NULL ? NULL : (*env)->GetStringUTFChars(env, wrong, NULL);
  if (wrong != NULL) say(start, "%s", text == NULL ? "out of memory" : text);
  if (text != NULL) (*env)->ReleaseStringUTFChars(env, wrong, text);
  return wrong == NULL;
}

/*
 * The JVM as a forked child has it: without threads. A thread that once called into Java detaches at its end, also at the
 * end of a child that it has forked, and would wait there for ever, for a lock of a thread that the child does not have.
 */
static JavaVM *made_vm;
static jint nothing(JavaVM *vm) { (void)vm; return JNI_OK; }

void forget_java(void) {
  static struct JNIInvokeInterface_ gone;
  if (made_vm == NULL) return;
  gone = **made_vm;
  gone.DetachCurrentThread = nothing;
  *made_vm = &gone;
}

/* The thread that makes the JVM: not a thread of the host, which may have little stack and whose end would be the JVM's business. */
static void *run(void *argument) {
  struct start *start = argument;
  JavaVM *vm = NULL;
  JNIEnv *env = NULL;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  int created = start->home[0] != 0;
  int ready = created ? create(start, &vm, &env) : attach(start, &vm, &env);
  if (!created && !ready) say(start, "the process has a JVM that a thread cannot attach to");
  if (ready) {
    made_vm = vm;
    ready = call(start, env, created ? start->home : "the JVM that this process has");
    (*vm)->DetachCurrentThread(vm);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (ready) {
    say(start, "Java from %s, modules from %s, started in %ld ms", created ? start->home : "the JVM that this process has",
        start->modules[0] == 0 ? "there too" : start->modules,
        (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000);
  }
  finish(start, ready ? 0 : 1);
  return NULL;
}

/* A JVM needs these itself. It passes on to the handler that was there before what is not its own. */
static int is_java_s(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP || signal == SIGPIPE;
}

int start_java(struct export *export, char *why, int room) {
  static struct start start = {.lock = PTHREAD_MUTEX_INITIALIZER, .result = -1};
  struct sigaction host[LAST_SIGNAL + 1];
  sigset_t all, own;
  char path[PATH_MAX + 32];
  pthread_t thread;
  struct timespec end;
  start.export = export;
  start.why = why;
  start.room = room;
  pthread_condattr_t steady; /* somebody may set the time while the JVM starts */
  pthread_condattr_init(&steady);
  pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
  pthread_cond_init(&start.over, &steady);
  pthread_condattr_destroy(&steady);

  start.libjvm = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  JavaVM *there = NULL;
  jsize count = 0;
  if (start.libjvm != NULL) {
    jint (*made)(JavaVM **, jsize, jsize *) = (jint (*)(JavaVM **, jsize, jsize *))dlsym(start.libjvm, "JNI_GetCreatedJavaVMs");
    if (made != NULL) made(&there, 1, &count);
  }
  if (count == 0) {
    if (!find(&start)) {
      char looked[1024];
      snprintf(looked, sizeof looked, "%s", why);
      snprintf(why, room, "no Java %d found; looked at NITINOL_JAVA_HOME, the distribution, JAVA_HOME, PATH, /usr/lib/jvm, /opt:%s", OLDEST_JAVA,
               looked[0] == 0 ? " none has one" : looked);
      return 1;
    }
    why[0] = 0;
    snprintf(path, sizeof path, "%s/lib/server/libjvm.so", start.home);
    start.libjvm = dlopen(path, RTLD_NOW | RTLD_NODELETE);
    if (start.libjvm == NULL) {
      snprintf(why, room, "the JVM cannot be loaded: %s", dlerror());
      return 1;
    }
  }

  for (int signal = 1; signal <= LAST_SIGNAL; signal++) sigaction(signal, NULL, &host[signal]);
  char *locale = strdup(setlocale(LC_ALL, NULL));
  /* The JVM's threads inherit the mask: signals to the process come to a thread of the host, whose calls they interrupt. */
  sigfillset(&all);
  for (int signal = 1; signal <= LAST_SIGNAL; signal++) {
    if (is_java_s(signal)) sigdelset(&all, signal);
  }
  pthread_sigmask(SIG_BLOCK, &all, &own);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int failed = pthread_create(&thread, &attributes, run, &start);
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    snprintf(why, room, "no thread for the JVM: %s", strerror(failed));
  } else {
    pthread_mutex_lock(&start.lock);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += LONGEST_START;
    while (start.result < 0 && failed == 0) failed = pthread_cond_timedwait(&start.over, &start.lock, &end);
    if (start.result < 0) {
      snprintf(why, room, "the JVM of %s has not started within %d s", start.home, LONGEST_START);
      start.room = 0; /* what it says from now on is heard by nobody */
    } else {
      failed = start.result;
    }
    pthread_mutex_unlock(&start.lock);
  }
  pthread_sigmask(SIG_SETMASK, &own, NULL);
  for (int signal = 1; signal <= LAST_SIGNAL; signal++) {
    struct sigaction now;
    if (!is_java_s(signal) && host[signal].sa_handler != SIG_DFL && sigaction(signal, NULL, &now) == 0 &&
        now.sa_sigaction != host[signal].sa_sigaction) {
      sigaction(signal, &host[signal], NULL);
    }
  }
  if (locale != NULL) setlocale(LC_ALL, locale);
  free(locale);
  return failed;
}
