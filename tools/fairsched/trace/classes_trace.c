/* SPDX-License-Identifier: MIT OR Unlicense */
#include "classes_trace.h"

#include <inttypes.h>

#include "random.h"

#define CORES 16 /* of a node */

enum { CPU, BIG, GPU, FAT, CLASSES };

static const struct {
	const char *name, *memory;
	int32_t nodes; /* of ten */
	int gpus;
} class_of[CLASSES] = {
	{ "cpu", "64G", 5, 0 },
	{ "big", "512G", 2, 0 },
	{ "gpu", "128G", 2, 4 },
	{ "fat", "1T", 1, 8 },
};

static int32_t nodes(int32_t procs, int k)
{
	return procs / (10 * CORES) * class_of[k].nodes;
}

void classes_trace_machine(FILE *f, int32_t procs)
{
	int k;

	fputs("class,count,cpus,memory,gpus\n", f);
	for (k = 0; k < CLASSES; k++)
		fprintf(f, "%s,%" PRId32 ",%d,%s,%d\n", class_of[k].name,
			nodes(procs, k), CORES, class_of[k].memory,
			class_of[k].gpus);
}

struct lublin_rules classes_trace_rules(const struct lublin_rules *r)
{
	struct lublin_rules small = *r;

	small.procs = nodes(r->procs, CPU) * CORES;
	small.load = (r->load > 0 ? r->load : 0.7) * 10 / class_of[CPU].nodes;
	return small;
}

/* A quarter of the jobs that gpu has room for; 0: none. */
static int32_t draw_gpus(uint64_t *seed, int32_t machine, int32_t procs)
{
	int32_t gpus = (procs + 3) / 4;

	if (random_bits(seed) % 4 || procs > nodes(machine, GPU) * CORES)
		return 0;
	return (int32_t)(random_bits(seed) % (uint64_t)gpus) + 1;
}

/* GiB a processor, as far as the class that must serve the job has that. */
static int draw_memory(uint64_t *seed, int32_t machine, int32_t procs, bool gpu)
{
	static const int some[] = { 1, 1, 1, 2, 2, 4, 4, 16 };
	int memory = some[random_bits(seed) % 8];

	if (memory == 16 && procs > nodes(machine, BIG) * CORES)
		return 4;
	return gpu && memory == 16 ? 8 : memory;
}

static const char *draw_classes(uint64_t *seed, bool gpu, int memory,
				bool small)
{
	uint64_t n = random_bits(seed) % 4;

	if (gpu)
		return n ? "gpu:fat" : small ? "fat:gpu" : "gpu";
	if (memory > 4)
		return n ? "big:fat" : "";
	return n == 1 ? "cpu:big" : n == 2 ? "cpu" : "";
}

/* What a job asks for. */
struct asked {
	int32_t procs, gpus, nodes, chunks; /* 0: not said */
	bool exclusive;
};

/* Processors and GPUs that divide among its nodes. */
static void draw_nodes(uint64_t *seed, struct asked *a)
{
	uint64_t what = random_bits(seed);

	a->exclusive = what / 4 % 4 == 0 && a->procs > CORES;
	if (!a->gpus && what % 4 == 0) {
		a->chunks = a->procs;
		a->exclusive = false;
		return;
	}
	a->nodes = (a->procs - 1) / CORES + 1;
	if (a->nodes > 1)
		a->procs = a->nodes * CORES;
	a->gpus = (a->gpus + a->nodes - 1) / a->nodes * a->nodes;
}

static void write_nodes(FILE *f, const struct asked *a)
{
	if (a->nodes)
		fprintf(f, ",%" PRId32 ",,%d", a->nodes, a->exclusive);
	else
		fprintf(f, ",,%" PRId32 ",0", a->chunks);
}

void classes_trace_write(FILE *f, const struct lublin_rules *r,
			 const struct swf_job *job, size_t jobs, bool on_nodes)
{
	const int32_t all = r->procs / (10 * CORES) * 10 * CORES;
	uint64_t seed = r->seed ^ UINT64_C(0x636c6173736573);
	uint64_t shape = r->seed ^ UINT64_C(0x6e6f646573);
	struct asked a = { 0 };
	int memory;
	size_t i;

	fprintf(f, "# MaxProcs: %" PRId32 "\n"
		   "job_id,submit,walltime,run,procs,gpus,memory,classes,"
		   "user%s\n",
		all, on_nodes ? ",nodes,chunks,exclusive" : "");
	for (i = 0; i < jobs; i++, job++) {
		a.procs = job->procs;
		a.nodes = a.chunks = 0;
		a.gpus = draw_gpus(&seed, r->procs, job->procs);
		memory = draw_memory(&seed, r->procs, job->procs, a.gpus > 0);
		if (on_nodes)
			draw_nodes(&shape, &a);
		fprintf(f,
			"%zu,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId32
			",%" PRId32 ",%" PRId64 "G,%s,%" PRIu64,
			i + 1, job->submit, job->request, job->run, a.procs,
			a.gpus, (int64_t)memory * a.procs,
			draw_classes(&seed, a.gpus > 0, memory,
				     job->procs <= nodes(r->procs, FAT) * CORES),
			random_bits(&seed) % 20 + 1);
		if (on_nodes)
			write_nodes(f, &a);
		putc('\n', f);
	}
}
