/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that priority.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "policies/priority.h"
#include "leaf_faults.h"

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
	FAULT("fair_priority: -FAIR_EINVAL no config",
	      fair_priority(NULL, &job, &parts));
	FAULT("fair_priority: -FAIR_EINVAL no job",
	      fair_priority(&c, NULL, &parts));
	FAULT("fair_priority: -FAIR_EINVAL nowhere to write",
	      fair_priority(&c, &job, NULL));
	bad.component_cap[FAIR_PRIORITY_COMPONENTS - 1] = -1;
	FAULT("fair_priority: -FAIR_EINVAL a component's cap below 0",
	      fair_priority(&bad, &job, &parts));
	bad = c;
	bad.cap[FAIR_PRIORITY_PARTS - 1] = -1;
	FAULT("fair_priority: -FAIR_EINVAL a part's cap below 0",
	      fair_priority(&bad, &job, &parts));
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
		FAULT("fair_priority: -FAIR_EINVAL a number out of its range",
		      fair_priority(&c, &wrong, &parts));
	}
	FAULT("fair_priority_pe: -FAIR_EINVAL no request",
	      fair_priority_pe(NULL, &machine, &out.a));
	FAULT("fair_priority_pe: -FAIR_EINVAL no machine",
	      fair_priority_pe(&asks, NULL, &out.a));
	FAULT("fair_priority_pe: -FAIR_EINVAL nowhere to write",
	      fair_priority_pe(&asks, &machine, NULL));
	none.procs = 0;
	FAULT("fair_priority_pe: -FAIR_EINVAL a machine without processors",
	      fair_priority_pe(&asks, &none, &out.a));
	none.procs = (int64_t)INT32_MAX + 1;
	FAULT("fair_priority_pe: -FAIR_EINVAL a machine of too many processors",
	      fair_priority_pe(&asks, &none, &out.a));
	none = machine;
	none.disk = -1;
	FAULT("fair_priority_pe: -FAIR_EINVAL a machine with less than nothing",
	      fair_priority_pe(&asks, &none, &out.a));
	asks.swap = FAIR_PRIORITY_MOST + 1;
	FAULT("fair_priority_pe: -FAIR_EINVAL a request for too much",
	      fair_priority_pe(&asks, &machine, &out.a));
	leave();
}
