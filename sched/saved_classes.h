/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/saved_classes.h - what a checkpoint has of config.machine
 *
 *   machine, billing, present amounts | a request for each job | what each
 *   advance reservation withholds
 *
 * Uses: space.h.
 */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

enum fair_classes_section {
	FAIR_SECTION_MACHINE = 24,
	FAIR_SECTION_AMOUNTS, /* by class and resource */
	FAIR_SECTION_REQUESTS, /* of each job, in the order of the jobs */
	FAIR_SECTION_WITHHELD = 30, /* of each advance reservation, by number */
	FAIR_SECTION_BILLING = 40   /* if there are weights */
};

static void fair_classes_fields(struct fair_checkpoint *f,
				struct fair_machine_config *machine)
{
	fair_checkpoint_one(f, FAIR_SECTION_MACHINE, 3);
	fair_checkpoint_u32(f, &machine->resources);
	fair_checkpoint_u32(f, &machine->classes);
	fair_checkpoint_u32(f, &machine->wide);
}

static void fair_classes_amount_fields(struct fair_checkpoint *f,
				       int32_t *amount, int32_t *present,
				       int32_t *most)
{
	fair_checkpoint_record(f);
	fair_checkpoint_i32(f, amount);
	fair_checkpoint_i32(f, present);
	fair_checkpoint_i32(f, most);
}

static void fair_classes_billing_fields(struct fair_checkpoint *f,
					struct fair_billing *billing)
{
	uint32_t r;

	fair_checkpoint_one(f, FAIR_SECTION_BILLING,
			    1 + FAIR_MACHINE_RESOURCES);
	fair_checkpoint_bool(f, &billing->maximum);
	for (r = 0; r < FAIR_MACHINE_RESOURCES; r++)
		fair_checkpoint_i64(f, &billing->weight[r]);
}

/* Whether a checkpoint has these weights; NULL: none. */
static bool fair_classes_is_same_billing(const struct fair_checkpoint *stream,
					 const struct fair_billing *billing)
{
	struct fair_checkpoint f = *stream;
	struct fair_billing was;
	uint32_t r;

	if (!billing)
		return !fair_checkpoint_section(&f, FAIR_SECTION_BILLING, 0, 0);
	FAIR_MEMSET(&was, 0, sizeof(was));
	fair_classes_billing_fields(&f, &was);
	for (r = 0; r < FAIR_MACHINE_RESOURCES; r++)
		f.bad |= was.weight[r] != billing->weight[r];
	return !f.bad && was.maximum == billing->maximum;
}

static void fair_classes_save(const struct fair_sched *s,
			      struct fair_checkpoint *f)
{
	const struct fair_classes *c = s->classes;
	struct fair_machine_config machine = c->config;
	struct fair_billing billing = c->billing;
	uint32_t n = fair_classes_amounts(&machine), i;
	int32_t amount, present, most;

	fair_classes_fields(f, &machine);
	if (s->config.billing)
		fair_classes_billing_fields(f, &billing);
	fair_checkpoint_section(f, FAIR_SECTION_AMOUNTS, n, 3);
	for (i = 0; i < n; i++) {
		amount = c->amount[i];
		present = c->present[i];
		most = c->most[i];
		fair_classes_amount_fields(f, &amount, &present, &most);
	}
}

/* Whether the checkpoint is of a machine as configured; NULL: of one pool. */
static bool fair_classes_is_same(const struct fair_checkpoint *stream,
				 const struct fair_machine_config *machine)
{
	struct fair_machine_config was = { 0, 0, 0, NULL };
	int32_t amount = 0, present = 0, most = 0;
	struct fair_checkpoint f = *stream;
	uint32_t i;

	if (!machine)
		return !fair_checkpoint_section(&f, FAIR_SECTION_MACHINE, 0, 0);
	fair_classes_fields(&f, &was);
	if (f.bad || was.resources != machine->resources ||
	    was.classes != machine->classes || was.wide != machine->wide ||
	    fair_checkpoint_section(&f, FAIR_SECTION_AMOUNTS, 0, 0) !=
		    fair_classes_amounts(machine))
		return false;
	for (i = 0; i < fair_classes_amounts(machine); i++) {
		fair_classes_amount_fields(&f, &amount, &present, &most);
		if (f.bad || amount != machine->amount[i])
			return false;
	}
	return true;
}

/* What the machine has at present, and had; false: that cannot be. */
static bool fair_classes_load(struct fair_sched *s,
			      const struct fair_checkpoint *stream)
{
	struct fair_checkpoint f = *stream;
	struct fair_classes *c = s->classes;
	int64_t procs = 0;
	int32_t amount = 0;
	uint32_t n, i;

	if (!c)
		return true;
	n = fair_classes_amounts(&c->config);
	(void)fair_checkpoint_section(&f, FAIR_SECTION_AMOUNTS, 0, 0);
	for (i = 0; i < n; i++) {
		fair_classes_amount_fields(&f, &amount, c->present + i,
					   c->most + i);
		if (c->most[i] < amount || c->most[i] < c->present[i] ||
		    (!amount && c->most[i]))
			return false;
		if (i % c->config.resources == 0)
			procs += c->present[i];
	}
	return procs == s->procs;
}

/* Private: what a job asks for, in a checkpoint. */
struct fair_saved_request {
	uint32_t count, node_class;
	uint64_t word[FAIR_MACHINE_CLASSES / 8]; /* the first class lowest */
	int32_t amount[FAIR_MACHINE_RESOURCES];
};

static void fair_classes_request_fields(struct fair_checkpoint *f,
					const struct fair_machine *m,
					struct fair_saved_request *r)
{
	uint32_t i;

	fair_checkpoint_record(f);
	fair_checkpoint_u32(f, &r->count);
	fair_checkpoint_u32(f, &r->node_class);
	for (i = 0; i < (m->classes + 7) / 8; i++)
		fair_checkpoint_u64(f, &r->word[i]);
	for (i = 0; i < m->resources; i++)
		fair_checkpoint_i32(f, &r->amount[i]);
}

static void fair_classes_save_request(struct fair_checkpoint *f,
				      const struct fair_sched *s, uint32_t slot)
{
	const struct fair_machine_jobs *x = &s->classes->jobs;
	struct fair_machine_request request = fair_machine_jobs_request(x,
									slot);
	struct fair_saved_request r;
	uint32_t i;

	FAIR_MEMSET(&r, 0, sizeof(r));
	r.count = request.count;
	r.node_class = x->node_class[slot];
	for (i = 0; i < r.count; i++)
		r.word[i / 8] |= (uint64_t)request.classes[i] << 8 * (i % 8);
	for (i = 0; i < x->machine.resources; i++)
		r.amount[i] = request.amount[i];
	fair_classes_request_fields(f, &x->machine, &r);
}

/* The request in @r, as @job has it; @classes: memory for the list. */
static void fair_classes_load_request(struct fair_checkpoint *f,
				      const struct fair_sched *s,
				      struct fair_saved_request *r,
				      uint8_t *classes, struct fair_job *job)
{
	const struct fair_machine *m;
	uint32_t i;

	FAIR_MEMSET(r, 0, sizeof(*r));
	if (!s->classes)
		return;
	m = &s->classes->jobs.machine;
	fair_classes_request_fields(f, m, r);
	f->bad |= r->count > m->classes || r->node_class >= m->classes;
	for (i = 0; i < FAIR_MACHINE_CLASSES; i++)
		classes[i] = (uint8_t)(r->word[i / 8] >> 8 * (i % 8));
	job->amount = r->amount;
	job->classes = classes;
	job->class_count = r->count;
}

/* What an advance reservation withholds of each resource of its class. */
static void fair_classes_advance_fields(struct fair_checkpoint *f,
					const struct fair_sched *s,
					struct fair_advance *b)
{
	uint32_t n = fair_sched_resources(s), r;

	if (!s->classes)
		return;
	fair_checkpoint_record(f);
	fair_checkpoint_u32(f, &b->node_class);
	for (r = 0; r < n; r++)
		fair_checkpoint_i32(f, &b->amount[r]);
}

/* Whether a section that is there with classes has @n records. */
static bool fair_classes_have_section(const struct fair_sched *s,
				      struct fair_checkpoint *f, uint32_t id,
				      uint64_t n)
{
	return !s->classes || fair_checkpoint_section(f, id, 0, 0) == n;
}

static uint64_t fair_classes_request_words(const struct fair_sched *s)
{
	const struct fair_machine *m = &s->classes->jobs.machine;

	return 2 + (m->classes + 7) / 8 + m->resources;
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
