/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that priority.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/priority.h"
#include "tests/leaf_faults.h"

TEST(priority)
{
	struct fair_priority_config c = fair_priority_defaults(), bad = c;
	struct fair_priority_amounts machine = { 1, 8, 100, 100, 100 };
	struct fair_priority_amounts none = machine, asks = { 1, 1, 1, 1, 1 };
	struct fair_priority_job job, wrong;
	struct fair_priority_parts parts;
	size_t i;

	memset(&parts, FILL, sizeof(parts));
	memset(&job, 0, sizeof(job));
	job.walltime = 1;
	keep(&parts, sizeof(parts));
	keep(&out, sizeof(out));
	FAULT(fair_priority(NULL, &job, &parts), EINVAL, "no config");
	FAULT(fair_priority(&c, NULL, &parts), EINVAL, "no job");
	FAULT(fair_priority(&c, &job, NULL), EINVAL, "nowhere to write");
	bad.component_cap[FAIR_PRIORITY_COMPONENTS - 1] = -1;
	FAULT(fair_priority(&bad, &job, &parts),
	      EINVAL, "a component's cap below 0");
	bad = c;
	bad.cap[FAIR_PRIORITY_PARTS - 1] = -1;
	FAULT(fair_priority(&bad, &job, &parts),
	      EINVAL, "a part's cap below 0");
	bad = c;
	bad.component_cap[0] = -1;
	FAULT(fair_priority(&bad, &job, &parts),
	      EINVAL, "the first component's cap below 0");
	bad = c;
	bad.cap[0] = -1;
	FAULT(fair_priority(&bad, &job, &parts),
	      EINVAL, "the first part's cap below 0");
	for (i = 0; i < 12; i++) {
		wrong = job;
		*(int64_t *[]){ &wrong.wait, &wrong.walltime, &wrong.walltime,
				&wrong.pe, &wrong.bypassed,
				&wrong.xfactor_target, &wrong.queue_time_target,
				&wrong.request.nodes, &wrong.request.procs,
				&wrong.request.memory, &wrong.request.swap,
				&wrong.request.disk }[i] =
			i == 1	? 0
			: i == 2 ? FAIR_PRIORITY_MOST + 1
			: i < 7	 ? -1
				 : FAIR_PRIORITY_MOST + 1;
		FAULT(fair_priority(&c, &wrong, &parts),
		      EINVAL, "a number out of its range");
	}
	FAULT(fair_priority_pe(NULL, &machine, &out.a), EINVAL, "no request");
	FAULT(fair_priority_pe(&asks, NULL, &out.a), EINVAL, "no machine");
	FAULT(fair_priority_pe(&asks, &machine, NULL),
	      EINVAL, "nowhere to write");
	none.procs = 0;
	FAULT(fair_priority_pe(&asks, &none, &out.a),
	      EINVAL, "a machine without processors");
	none.procs = (int64_t)INT32_MAX + 1;
	FAULT(fair_priority_pe(&asks, &none, &out.a),
	      EINVAL, "a machine of too many processors");
	none = machine;
	none.disk = -1;
	FAULT(fair_priority_pe(&asks, &none, &out.a),
	      EINVAL, "a machine with less than nothing");
	asks.swap = FAIR_PRIORITY_MOST + 1;
	FAULT(fair_priority_pe(&asks, &machine, &out.a),
	      EINVAL, "a request for too much");
	leave();
}
