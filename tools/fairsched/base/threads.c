/* SPDX-License-Identifier: MIT OR Unlicense */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#include "threads.h"

#include <pthread.h>
#include <unistd.h>

size_t threads_here(void)
{
#ifdef _SC_NPROCESSORS_ONLN
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (n > 0)
		return (size_t)n;
#endif
	return 1;
}

void threads_run(size_t threads, void *(*run)(void *arg), void *arg)
{
	pthread_t thread[THREADS];
	size_t i, started = 0;

	if (threads > THREADS)
		threads = THREADS;
	while (started + 1 < threads &&
	       !pthread_create(&thread[started], NULL, run, arg))
		started++;
	run(arg);
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
}
