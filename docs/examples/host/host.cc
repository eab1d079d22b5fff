// SPDX-License-Identifier: MIT OR Unlicense
// host.c in C++. Times are milliseconds.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>
#include <vector>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

static const int64_t HOUR = 3600000, CHANGE = 3650000;

struct Job { int64_t submit, walltime, run; int32_t procs; int64_t end; };

struct Host {
	const bool crash; // after each call: go on from a checkpoint
	int steps = 0;
	fair_config config = fair_config();
	fair_sched s;
	std::vector<unsigned char> memory;
	std::vector<Job> job;

	explicit Host(bool crash) : crash(crash), job(1008)
	{
		plan(1, 0, 1000, 600, 1000);
		plan(2, 0, 5000, 5000, 500);
		plan(3, 0, 5000, 4000, 500);
		plan(4, 0, 7000, 7000, 1000);
		plan(5, 3640000, 40000, 20000, 1000);
		plan(6, 3640000, 5000, 5000, 10);
		for (size_t i = 7; i < 1007; i++)
			plan(i, 3700000, 60000, 30000, 1);
		plan(1007, 3700000, 1000, 1000, 1000);
		open(FAIR_CONSERVATIVE, 2);
	}

	void plan(size_t i, int64_t submit, int64_t walltime, int64_t run, int32_t procs)
	{
		job[i] = Job{ submit, walltime, run, procs, FAIR_FOREVER };
	}

	void done(int error)
	{
		if (error)
			throw std::runtime_error(fair_strerror(error));
		if (!crash)
			return;
		std::vector<unsigned char> saved(fair_sched_checkpoint_size(&s));
		std::vector<unsigned char> other(fair_sched_size(&config));
		if (fair_sched_save(&s, saved.data(), saved.size()) ||
		    fair_sched_load(&s, sizeof(s), other.data(), other.size(), &config,
				    saved.data(), saved.size(), NULL))
			throw std::runtime_error("the checkpoint does not load");
		memory.swap(other);
	}

	void open(uint32_t policy, uint32_t jobs)
	{
		config.policy = policy;
		config.depth = 1;
		config.procs = 1000;
		config.jobs = jobs;
		memory.resize(fair_sched_size(&config));
		done(fair_sched_init(&s, sizeof(s), memory.data(), memory.size(), &config));
	}

	// A full table moves into a larger one.
	void submit(int64_t now, size_t i, int64_t walltime)
	{
		fair_job j = fair_job();
		j.number = i;
		j.submit = job[i].submit;
		j.walltime = walltime;
		j.procs = job[i].procs;
		int error = fair_sched_submit(&s, now, &j);
		if (error == -FAIR_ENOSPC) {
			config.jobs *= 2;
			std::vector<unsigned char> larger(fair_sched_grow_size(&s, &config));
			error = fair_sched_grow(&s, larger.data(), larger.size(), &config);
			memory.swap(larger);
			done(error);
			error = fair_sched_submit(&s, now, &j);
		}
		done(error);
	}

	int step(int64_t now)
	{
		std::vector<fair_decision> start(job.size());
		size_t n;
		int started = 0;
		do {
			steps++;
			done(fair_sched_step(&s, now, start.data(), start.size(), &n));
			for (size_t i = 0; i < n; i++) {
				uint64_t number = start[i].number;
				if (number == 2 && now < HOUR) {
					done(fair_sched_refuse_until(&s, now, 2, FAIR_FOREVER));
					continue;
				}
				job[number].end = now + job[number].run;
				started++;
			}
		} while (fair_sched_next_start(&s) == now);
		return started;
	}

	// Jobs that run keep the rest of their walltimes, and start at once; then come
	// those that wait.
	void change(int64_t now)
	{
		if (!crash)
			std::printf("change %016" PRIx64 "\n", fair_sched_digest(&s));
		open(FAIR_BACKFILL, config.jobs);
		for (size_t i = 1; i < job.size(); i++) {
			Job &j = job[i];
			if (j.end <= now || j.end == FAIR_FOREVER)
				continue;
			submit(now, i, j.end - j.run + j.walltime - now);
			j.run = j.end - now;
		}
		step(now);
		for (size_t i = 1; i < job.size(); i++)
			if (job[i].end == FAIR_FOREVER && job[i].submit < now)
				submit(now, i, job[i].walltime);
	}

	int instant(int64_t now)
	{
		std::vector<uint64_t> ended;
		for (size_t i = 1; i < job.size(); i++)
			if (job[i].end == now)
				ended.push_back(i);
		if (!ended.empty())
			done(fair_sched_finish_many(&s, now, ended.data(), NULL, ended.size()));
		if (now == HOUR)
			done(fair_sched_retry(&s, now, 2));
		if (now == CHANGE)
			change(now);
		for (size_t i = 1; i < job.size(); i++)
			if (job[i].submit == now)
				submit(now, i, job[i].walltime);
		return step(now);
	}

	uint64_t play()
	{
		for (int64_t now = 0, next; now != FAIR_FOREVER; now = next) {
			int started = instant(now);
			if (!crash)
				std::printf("%7" PRId64 " %d start\n", now, started);
			next = fair_sched_next_start(&s);
			auto sooner = [&](int64_t t) {
				if (t > now)
					next = std::min(next, t);
			};
			sooner(HOUR);
			sooner(CHANGE);
			for (const Job &j : job) {
				sooner(j.submit);
				sooner(j.end);
			}
		}
		return fair_sched_digest(&s);
	}
};

int main()
{
	Host host(false), crashing(true);
	uint64_t digest = host.play();

	std::printf("steps %d\ndigest %016" PRIx64 "\n", host.steps, digest);
	std::printf("crashes change nothing: %d\n", crashing.play() == digest);
}
