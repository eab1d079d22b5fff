// SPDX-License-Identifier: MIT OR Unlicense
// A scheduler loop. It advances to the next event; a real one waits for it.
#include <cinttypes>
#include <cstdio>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

struct Life { int64_t submit, walltime, run; int32_t procs; };
static const Life life[] = { { 0, 100, 60, 5 }, { 10, 50, 50, 6 },
			     { 20, 30, 30, 3 }, { 30, 200, 90, 2 } };

static void check(int error)
{
	if (error)
		throw std::runtime_error(fair_strerror(error));
}

int main()
{
	// (time, is an arrival, job): ends come before arrivals.
	std::set<std::tuple<int64_t, bool, uint64_t>> events;
	fair_config config = fair_config();
	config.policy = FAIR_CONSERVATIVE;
	config.procs = 8;
	config.jobs = 4;
	std::vector<unsigned char> memory(fair_sched_size(&config));
	fair_sched s;
	check(fair_sched_init(&s, sizeof(s), memory.data(), memory.size(), &config));
	for (uint64_t number = 1; number <= 4; number++)
		events.emplace(life[number - 1].submit, true, number);
	int64_t now = 0;
	while (now != FAIR_FOREVER) {
		while (!events.empty() && std::get<0>(*events.begin()) == now) {
			fair_job job = fair_job();
			job.number = std::get<2>(*events.begin());
			job.submit = now;
			job.walltime = life[job.number - 1].walltime;
			job.procs = life[job.number - 1].procs;
			check(std::get<1>(*events.begin())
				      ? fair_sched_submit(&s, now, &job)
				      : fair_sched_finish(&s, now, job.number));
			events.erase(events.begin());
		}
		fair_decision d;
		size_t n;
		while (!fair_sched_step(&s, now, &d, 1, &n) && n) {
			std::printf("%3" PRId64 " job %" PRIu64 "\n", now, d.number);
			events.emplace(now + life[d.number - 1].run, false, d.number);
		}
		now = fair_sched_next(&s);
		if (!events.empty() && std::get<0>(*events.begin()) < now)
			now = std::get<0>(*events.begin());
	}
	std::printf("digest %016" PRIx64 "\n", fair_sched_digest(&s));
}
