/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A name that is none. tests/documented_faults_test.py compares the first
 * strings with what is documented.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/leaf_faults.h"

TEST(no_names)
{
	FAULT("fair_policy_by_name: -FAIR_ENOENT no policy",
	      fair_policy_by_name("fair"));
	FAULT("fair_policy_by_name: -FAIR_EINVAL nothing",
	      fair_policy_by_name(NULL));
	FAULT("fair_order_by_name: -FAIR_ENOENT the begin of a name",
	      fair_order_by_name("two"));
	FAULT("fair_order_by_name: -FAIR_EINVAL nothing",
	      fair_order_by_name(NULL));
	FAULT("fair_state_by_name: -FAIR_ENOENT more than a name",
	      fair_state_by_name("queued "));
	FAULT("fair_state_by_name: -FAIR_EINVAL nothing",
	      fair_state_by_name(NULL));
	FAULT("fair_cause_by_name: -FAIR_ENOENT no cause",
	      fair_cause_by_name(""));
	FAULT("fair_cause_by_name: -FAIR_EINVAL nothing",
	      fair_cause_by_name(NULL));
	FAULT("fair_reason_by_name: -FAIR_ENOENT no reason",
	      fair_reason_by_name("unknown"));
	FAULT("fair_reason_by_name: -FAIR_EINVAL nothing",
	      fair_reason_by_name(NULL));
}
