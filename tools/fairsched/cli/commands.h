/* SPDX-License-Identifier: MIT OR Unlicense */
/* commands.h - the commands, each in a file of its own */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "options.h"

extern const struct command simulate_command, compare_command, generate_command,
	import_command, merge_command, priority_command, why_command,
	whatif_command, usage_command, cost_command, doctor_command;

#endif /* COMMANDS_H */
