// SPDX-License-Identifier: Apache-2.0
#include <infiniband/verbs.h>
