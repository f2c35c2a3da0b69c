// SPDX-License-Identifier: Apache-2.0
//
// A tool for NvtxTest, as Nsight Systems would be: it asks for the functions of NVTX's core module and
// writes to standard output what is called. It fills in nothing where NVTX_TOOL_WANTS is "nothing",
// and refuses to start where it is "no".
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Function)(void);
typedef struct {
  size_t struct_size;
  int (*table)(int module, Function*** table, unsigned int* size);
} Callbacks;
typedef struct {
  size_t struct_size;
  uint32_t version, reserved;
  void (*tool_has)(uint32_t version);
} VersionInfo;

static int depth = 0;

static int push(const char* name) {
  printf("push %s\n", name);
  fflush(stdout);
  return depth++;
}
static int pop(void) {
  printf("pop\n");
  fflush(stdout);
  return --depth;
}

int InitializeInjectionNvtx2(const void* (*exported)(uint32_t id)) {
  const char* wants = getenv("NVTX_TOOL_WANTS");
  const Callbacks* callbacks = exported(1);
  const VersionInfo* info = exported(3);
  if (callbacks == NULL || callbacks->struct_size < sizeof(Callbacks) || exported(2) != NULL) return 0;
  if (info == NULL || info->struct_size < sizeof(VersionInfo) || info->version != 3) return 0;
  info->tool_has(3);
  Function** table = NULL;
  unsigned int size = 0;
  if (callbacks->table(99, &table, &size) != 0) return 0;
  for (int module = 1; module <= 6; module++) {
    if (callbacks->table(module, &table, &size) != 1 || callbacks->table(module, NULL, NULL) != 1) return 0;
    for (unsigned int i = 1; i < size; i++) {
      if (table[i] == NULL || *table[i] != NULL) return 0;
    }
    if (table[0] != NULL || table[size] != NULL) return 0;
  }
  callbacks->table(1, &table, &size);
  if (size < 12) return 0;
  if (wants == NULL || strcmp(wants, "nothing") != 0) {
    *table[9] = (Function)push;
    *table[11] = (Function)pop;
  }
  return wants == NULL || strcmp(wants, "no") != 0;
}
