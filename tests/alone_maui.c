/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/maui.h"

int alone(void)
{
	struct fair_maui_credential user = fair_maui_credential_defaults();
	struct fair_maui_config config = fair_maui_defaults();
	struct fair_maui_request job = {
		{ 0, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE,
		  FAIR_THROTTLE_NONE },
		4,
		4,
		60,
		0,
		0,
		0,
		0
	};
	static uint64_t memory[512], other[512];
	struct fair_priority_parts parts;
	struct fair_maui m, copy;

	user.hard[FAIR_THROTTLE_PROCS] = 6;
	config.usage = FAIR_MAUI_PROCS;
	config.count[FAIR_THROTTLE_USER] = 1;
	config.credential[FAIR_THROTTLE_USER] = &user;
	if (!fair_maui_size(&config, 2) ||
	    fair_maui_size(&config, 2) > sizeof(memory))
		return __LINE__;
	if (fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &config, 2,
			   10, 0) ||
	    fair_maui_submit(&m, 0, &job) || fair_maui_submit(&m, 1, &job) ||
	    fair_maui_modify(&m, 1, 4, 30))
		return __LINE__;
	if (fair_maui_start(&m, 0, 0, 60) || fair_maui_move(&m, 0, 60, 90) ||
	    fair_maui_clone(&copy, other, sizeof(other), &m))
		return __LINE__;
	fair_maui_advance(&m, 60);
	if (fair_maui_parts(&m, 1, 0, 30, &parts) ||
	    parts.priority != FAIR_PRIORITY_ONE || fair_maui_is_over_cap(&m, 1) ||
	    fair_maui_gate(&m, 60, 1, 90, FAIR_MAUI_HARD))
		return __LINE__;
	if (fair_maui_finish(&m, 0, 90) ||
	    !fair_maui_gate(&m, 60, 1, 90, FAIR_MAUI_HARD) ||
	    fair_maui_request_of(&m, 1).procs != 4)
		return __LINE__;
	return fair_maui_check(&m) || fair_maui_check(&copy) ? __LINE__ : 0;
}
