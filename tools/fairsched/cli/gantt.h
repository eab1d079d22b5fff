/* SPDX-License-Identifier: MIT OR Unlicense */
/* gantt.h - a schedule as text: processors upwards, time to the right */
#ifndef GANTT_H
#define GANTT_H

#include "clock.h"
#include "tools/fairsched/report/procset.h"
#include "tools/fairsched/report/report.h"

/*
 * Prints [@from, @to) in lines of @room characters. A cell shows the job on the
 * middle one of its processors at the middle of its time. With a plan of classes
 * there is a picture of each resource of each class; units of a resource other
 * than processors have no numbers: jobs that use them lie one upon the other, in
 * the order of their starts. Returns 0, or -1 without memory.
 */
int gantt_print(const struct report *r, const struct procset *p,
		const struct clock *clock, int64_t from, int64_t to,
		size_t room);

#endif /* GANTT_H */
