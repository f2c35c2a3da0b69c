/* SPDX-License-Identifier: Apache-2.0 */
/* host SCENARIO LIBRARY VERSION: what a host may do with libnccl-net-nitinol.so; prints "ok" where all was right. */
#include "pair.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

static const char *library;
static int version;

static void start(void) {
  int n = 0;
  ncclNetProperties_v12_t properties;
  host_load(library, version);
  REQUIRE(strcmp(N(12)->name, "Nitinol") == 0);
  CHECK(host_init());
  CHECK(host_devices(&n));
  REQUIRE(n > 0);
  for (int i = 0; i < n; i++) {
    CHECK(host_properties(i, &properties));
    REQUIRE(properties.name != NULL && properties.name[0] != 0);
    REQUIRE(properties.ptrSupport == NCCL_PTR_HOST && properties.speed > 0 && properties.maxComms > 0 && properties.maxRecvs >= 1);
    REQUIRE(properties.maxP2pBytes > 0 && properties.maxP2pBytes <= NCCL_MAX_NET_SIZE_BYTES);
    if (V >= 9) REQUIRE(properties.vProps.ndevs == 1 && properties.vProps.devs[0] == i);
  }
  if (V >= 7) REQUIRE(N(12)->getDeviceMr == NULL && N(12)->irecvConsumed == NULL);
  if (V >= 9) REQUIRE(N(12)->makeVDevice == NULL);
}

static void exchange(void) {
  static const size_t sizes[] = {0, 1, 100, 65536, (1 << 20) + 3, 0, 8};
  struct end end;
  pair_fork();
  start();
  for (int round = 0; round < 3; round++) {
    pair_connect(&end);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) pair_exchange(&end, sizes[i], round * 31 + i);
    pair_barrier();
    pair_close(&end);
  }
  CHECK(host_finalize());
  pair_end();
}

/* Dead and foreign pointers, wrong numbers: an error each, and the connection goes on. */
static void wrong(void) {
  struct end end;
  char bytes[256];
  void *mr = NULL, *request = NULL, *comm = NULL;
  int done = 0, size = 0, n = 0;
  ncclNetProperties_v12_t properties;
  pair_fork();
  start();
  pair_connect(&end);
  CHECK(host_reg(end.send, bytes, sizeof bytes, &mr));
  CHECK(host_devices(&n));
  REQUIRE(host_properties(n, &properties) == ncclInvalidArgument);
  REQUIRE(host_properties(-1, &properties) == ncclInvalidArgument);
  REQUIRE(host_listen(n, bytes, &comm) == ncclInvalidArgument);
  REQUIRE(host_isend(NULL, bytes, 8, 0, mr, &request) == ncclInvalidArgument);
  REQUIRE(host_isend(bytes, bytes, 8, 0, mr, &request) == ncclInvalidArgument);
  REQUIRE(host_isend(end.recv, bytes, 8, 0, mr, &request) == ncclInvalidArgument);
  REQUIRE(host_isend(end.send, bytes, 8, 0, NULL, &request) == ncclInvalidArgument);
  REQUIRE(host_isend(end.send, bytes, 8, 0, bytes, &request) == ncclInvalidArgument);
  REQUIRE(host_isend(end.send, bytes - 1, 8, 0, mr, &request) == ncclInvalidArgument);
  REQUIRE(host_isend(end.send, bytes + 250, 8, 0, mr, &request) == ncclInvalidArgument);
  REQUIRE(host_irecv(end.send, bytes, 8, 0, mr, &request) == ncclInvalidArgument);
  REQUIRE(host_irecv(end.recv, bytes, 8, 0, mr, &request) == ncclInvalidArgument); /* the other comm's */
  REQUIRE(host_test(NULL, &done, &size) == ncclInvalidArgument);
  REQUIRE(host_test(bytes, &done, &size) == ncclInvalidArgument);
  REQUIRE(host_accept(end.send, &comm) == ncclInvalidArgument);
  REQUIRE(host_close_recv(end.send) == ncclInvalidArgument);
  REQUIRE(host_close_listen(NULL) == ncclInvalidArgument);
  CHECK(host_isend(end.send, bytes, 0, 0, mr, &request));
  pair_exchange(&end, 0, 0); /* takes the other's empty message; the one of here comes later */
  REQUIRE(host_dereg(end.send, mr) == 0);
  REQUIRE(host_dereg(end.send, mr) == ncclInvalidArgument);
  pair_wait(request);
  REQUIRE(host_test(request, &done, &size) == ncclInvalidArgument);
  pair_barrier();
  void *dead = end.send;
  pair_close(&end);
  REQUIRE(host_close_send(dead) == ncclInvalidArgument);
  REQUIRE(host_isend(dead, bytes, 8, 0, mr, &request) == ncclInvalidArgument);
  pair_connect(&end);
  pair_exchange(&end, 1000, 1);
  pair_barrier();
  pair_close(&end);
  pair_end();
}

static struct end shared;

static pthread_barrier_t at_once;

static void *one_init(void *ignored) {
  ncclNetCommConfig_v11_t config = {NCCL_NET_TRAFFIC_CLASS_UNDEF};
  void *own = NULL;
  int n = 0;
  (void)ignored;
  pthread_barrier_wait(&at_once);
  if (V <= 9) CHECK(N(9)->init(host_log));
  else if (V == 10) CHECK(N(10)->init(host_log, host_profiler));
  else CHECK(N(12)->init(&own, (uint64_t)pthread_self(), &config, host_log, host_profiler));
  CHECK(N(12)->devices(&n));
  REQUIRE(n > 0 && (V < 11 || own != NULL));
  return own;
}

/* Communicators of several threads, the first that there are. */
static void inits(void) {
  enum { THREADS = 6 };
  pthread_t some[THREADS];
  void *own[THREADS];
  host_load(library, version);
  REQUIRE(pthread_barrier_init(&at_once, NULL, THREADS) == 0);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&some[i], NULL, one_init, NULL) == 0);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(some[i], &own[i]) == 0);
  for (int i = 0; V >= 11 && i < THREADS; i++) {
    for (int j = 0; j < i; j++) REQUIRE(own[i] != own[j]);
    CHECK(N(12)->finalize(own[i]));
    REQUIRE(N(12)->finalize(own[i]) == ncclInvalidArgument);
  }
}

static void *one_exchange(void *seed) {
  pair_exchange(&shared, 4096, (unsigned)(long)seed);
  return NULL;
}

static void *many_devices(void *ignored) {
  int n;
  (void)ignored;
  CHECK(host_devices(&n));
  return NULL;
}

static void threads(void) {
  pthread_attr_t small;
  pthread_t some[16], one;
  pair_fork();
  start();
  pair_connect(&shared);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  for (long round = 0; round < 100; round++) {
    for (int i = 0; i < 16; i++) REQUIRE(pthread_create(&some[i], &small, many_devices, NULL) == 0);
    REQUIRE(pthread_create(&one, NULL, one_exchange, (void *)round) == 0);
    REQUIRE(pthread_join(one, NULL) == 0);
    for (int i = 0; i < 16; i++) REQUIRE(pthread_join(some[i], NULL) == 0);
  }
  pair_barrier();
  pair_close(&shared);
  pair_end();
}

/* Children that call in, that exec, and that only compute, while the parent exchanges. */
static void forks(void) {
  struct end end;
  pair_fork();
  start();
  pair_connect(&end);
  for (int i = 0; i < 12; i++) {
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      alarm(10);
      if (i % 3 == 0) execlp("true", "true", (char *)NULL);
      if (i % 3 == 1) exit(0); /* with the functions that run at an exit */
      int n = 0;
      char handle[128];
      void *comm = NULL;
      REQUIRE(host_devices(&n) == ncclSystemError);
      REQUIRE(host_listen(0, handle, &comm) == ncclSystemError);
      REQUIRE(host_init() == ncclSystemError);
      REQUIRE(host_close_send(end.send) == ncclSystemError);
      _Exit(0);
    }
    pair_exchange(&end, 100000, i);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0)) printf("child %d: status 0x%x\n", i, status);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  pair_barrier();
  pair_close(&end);
  pair_end();
}

static void reload(void) {
  struct end end;
  pair_fork();
  for (int round = 0; round < 4; round++) {
    void *handle = host_load(library, version);
    CHECK(host_init());
    pair_connect(&end);
    pair_exchange(&end, 5000, round);
    pair_barrier();
    pair_close(&end);
    CHECK(host_finalize());
    REQUIRE(dlclose(handle) == 0);
    REQUIRE(dlopen(library, RTLD_NOW | RTLD_NOLOAD) != NULL); /* a JVM calls into it for as long as it lives */
  }
  pair_end();
}

static volatile sig_atomic_t interrupts, users, faults;
static void on_interrupt(int signal) { (void)signal, interrupts++; }
static void on_user(int signal) { (void)signal, users++; }

static void on_fault(int signal, siginfo_t *info, void *ignored) {
  (void)signal, (void)ignored;
  if (info->si_addr == (void *)8) {
    printf("ok\n");
    fflush(stdout);
    _Exit(0);
  }
}

static void *start_thread(void *ignored) {
  (void)ignored;
  start();
  return NULL;
}

/* The host's handlers, mask, locale and limits are what they were; the thread that called init is gone. */
static void signals(void) {
  struct sigaction interrupt = {.sa_handler = on_interrupt}, user = {.sa_handler = on_user}, now;
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  struct rlimit before, after;
  sigset_t mask;
  pthread_t thread;
  setlocale(LC_ALL, "C");
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  before.rlim_cur = before.rlim_cur > 900 ? 900 : before.rlim_cur;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  struct sigaction usual = {.sa_handler = SIG_DFL}; /* who runs the tests may have had it ignored, as nohup does */
  sigaction(SIGHUP, &usual, NULL);
  sigaction(SIGQUIT, &usual, NULL);
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGTERM, &interrupt, NULL);
  sigaction(SIGUSR1, &user, NULL);
  sigaction(SIGUSR2, &user, NULL);
  sigaction(SIGSEGV, &fault, NULL);
  REQUIRE(pthread_create(&thread, NULL, start_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
  int numbers[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
  for (int i = 0; i < 4; i++) {
    REQUIRE(sigaction(numbers[i], NULL, &now) == 0);
    REQUIRE(now.sa_handler == (i < 2 ? on_interrupt : on_user));
    kill(getpid(), numbers[i]);
  }
  sigaction(SIGHUP, NULL, &now);
  REQUIRE(now.sa_handler == SIG_DFL);
  sigaction(SIGQUIT, NULL, &now);
  REQUIRE(now.sa_handler == SIG_DFL);
  double begin = host_seconds();
  while (interrupts < 2 || users < 2) REQUIRE(host_seconds() - begin < 10);
  REQUIRE(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGINT) == 0);
  /* A signal to the process that no thread of the host takes waits: no thread of the JVM takes it either. */
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  REQUIRE(pthread_sigmask(SIG_BLOCK, &one, NULL) == 0);
  kill(getpid(), SIGUSR1);
  for (begin = host_seconds(); host_seconds() - begin < 0.1;) REQUIRE(sigpending(&mask) == 0 && sigismember(&mask, SIGUSR1) == 1);
  REQUIRE(pthread_sigmask(SIG_UNBLOCK, &one, NULL) == 0 && users == 3);
  REQUIRE(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
  REQUIRE(getrlimit(RLIMIT_NOFILE, &after) == 0 && after.rlim_cur == before.rlim_cur);
  /* A sleep of the host ends by a signal to the process: it comes to this thread and not to one of the JVM's. */
  struct timespec rest = {10, 0};
  pid_t sender = fork();
  if (sender == 0) {
    usleep(200000);
    kill(getppid(), SIGINT);
    _Exit(0);
  }
  REQUIRE(nanosleep(&rest, &rest) == -1 && errno == EINTR);
  waitpid(sender, NULL, 0);
  *(volatile int *)8 = 1; /* a fault of the host's own comes to the host's handler */
  REQUIRE(0);
}

/* A network that has no collective network beside it: no device, and no error. */
static void collnet(void) {
  char symbol[64];
  void *handle = host_load(library, version);
  CHECK(host_init());
  snprintf(symbol, sizeof symbol, "ncclCollNetPlugin_v%d", version);
  ncclCollNet_v12_t *newest = dlsym(handle, symbol);
  ncclCollNet_v4_t *oldest = (ncclCollNet_v4_t *)newest;
  void *own = NULL;
  int n = -1, supported = 0;
  REQUIRE(newest != NULL && strcmp(newest->name, "Nitinol") == 0);
  CHECK(version <= 10 ? oldest->init(host_log) : newest->init(&own, 7, host_log));
  CHECK(newest->devices(&n));
  REQUIRE(n == 0);
  REQUIRE(newest->reduceSupport(ncclFloat32, ncclSum, &supported) == ncclInvalidUsage);
  if (version >= 9 && version <= 10) REQUIRE(((ncclCollNet_v10_t *)newest)->makeVDevice == NULL);
  if (version >= 11) {
    REQUIRE(newest->makeVDevice == NULL && newest->iallgather == NULL && newest->ireducescatter == NULL);
    CHECK(newest->finalize(own));
  }
}

/* Whatever is wrong with Java, init says so and the host goes on. */
static void broken(void) {
  int n = 0;
  host_load(library, version);
  REQUIRE(host_init() == ncclSystemError);
  REQUIRE(host_init() == ncclSystemError);
  REQUIRE(host_devices(&n) == ncclSystemError);
  if (V >= 11) N(12)->finalize(context); /* as NCCL 2.28 does */
}

/* Java is there, and what is asked of it is not. */
static void refused(void) {
  int n = 0;
  host_load(library, version);
  REQUIRE(host_init() == ncclInvalidUsage);
  REQUIRE(host_init() == ncclInvalidUsage);
  REQUIRE(host_devices(&n) == ncclSystemError);
}

/* Another copy of the library than the one whose network is in use, and the first goes on. */
static void copies(void) {
  void *first, *its_context;
  int n = 0;
  start();
  first = table;
  its_context = context;
  host_load(getenv("HOST_COPY"), version);
  REQUIRE(table != first);
  REQUIRE(host_init() == ncclSystemError);
  table = first;
  context = its_context;
  CHECK(host_devices(&n));
  REQUIRE(n > 0);
  CHECK(host_finalize());
  CHECK(host_init());
  CHECK(host_finalize());
}

static void hello(void) {
  start();
  CHECK(host_finalize());
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } scenarios[] = {{"hello", hello}, {"exchange", exchange}, {"wrong", wrong}, {"threads", threads}, {"inits", inits}, {"forks", forks},
                   {"reload", reload}, {"collnet", collnet}, {"signals", signals}, {"broken", broken}, {"refused", refused},
                   {"copies", copies}};
  if (argc != 4) return 2;
  library = argv[2];
  version = atoi(argv[3]);
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    if (strcmp(argv[1], scenarios[i].name) == 0) {
      scenarios[i].run();
      if (rank == 0) printf("ok\n");
      return 0;
    }
  }
  return 2;
}
