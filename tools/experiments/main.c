/* SPDX-License-Identifier: MIT OR Unlicense */
/* reproduce - the program */
#include "reproduce.h"

#include <errno.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/output.h"

int main(int argc, char **argv)
{
	int status;

	program_name = "reproduce";
	output_init();
	status = command_main(&reproduce_command, argc - 1, argv + 1);
	output_abandon();
	if (fflush(stdout) || ferror(stdout))
		status = run_error("standard output: %s", strerror(errno));
	return status;
}
