/* SPDX-License-Identifier: Apache-2.0 */
/* One library with a network and a tuner, as some vendors have it. */
#include "loopback.c"
#include "tuner.c"
