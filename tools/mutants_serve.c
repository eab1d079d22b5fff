/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * mutants_serve.c - a program that holds many mutants, run as each in turn
 *
 * Before main() it reads orders { mutant, milliseconds of processor time } from
 * standard input, and forks; the child goes on to main() as that mutant, the
 * parent answers { status of wait(), milliseconds taken } on standard output.
 * With FAIR_MUTANT in the environment it is that mutant, once.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int fair_mutant;

static void limit(int32_t ms)
{
	struct itimerval timer = { { 0, 0 }, { ms / 1000, ms % 1000 * 1000 } };
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	setitimer(ITIMER_PROF, &timer, NULL);
	alarm((unsigned)(20 * ms / 1000 + 1)); /* it may sleep, too */
}

static int32_t milliseconds(struct timeval t)
{
	return (int32_t)(t.tv_sec * 1000 + t.tv_usec / 1000);
}

/* What @child comes to; what it started ends with it. */
static int wait_for(pid_t child, int32_t answer[2])
{
	struct rusage used;
	int status;

	if (wait4(child, &status, 0, &used) != child)
		return -1;
	kill(-child, SIGKILL);
	answer[0] = status;
	answer[1] = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
	return 0;
}

__attribute__((constructor(101))) static void serve(void)
{
	const char *one = getenv("FAIR_MUTANT");
	int in, out, null, i;
	int32_t order[2];

	if (one) {
		fair_mutant = atoi(one);
		return;
	}
	in = fcntl(0, F_DUPFD_CLOEXEC, 3);
	out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	null = open("/dev/null", O_RDWR);
	for (i = 0; i < 3; i++)
		dup2(null, i);
	while (read(in, order, sizeof(order)) == sizeof(order)) {
		pid_t child = fork();

		if (!child) {
			setpgid(0, 0);
			close(in);
			close(out);
			limit(order[1]);
			fair_mutant = order[0];
			return;
		}
		if (child < 0 || wait_for(child, order) ||
		    write(out, order, sizeof(order)) != sizeof(order))
			break;
	}
	_exit(0);
}
