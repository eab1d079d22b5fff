/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * flat.h - the scheduler for languages that do not read C's structures
 *
 * All numbers are int64_t, structures are arrays of them in the order of the
 * enumerations below, and errors are those of fairsched.h, below 0. The caller
 * provides memory, aligned to 16 bytes. Include it after replay.h.
 */
#ifndef FAIR_FLAT_H
#define FAIR_FLAT_H

#ifndef FLAT_API
#define FLAT_API
#endif

/* A configuration; the lists follow. */
enum {
	FLAT_POLICY,
	FLAT_ORDER,
	FLAT_DEPTH,
	FLAT_PROCS,
	FLAT_ORIGIN,
	FLAT_JOBS,
	FLAT_INELIGIBLE,
	FLAT_ADVANCES,
	FLAT_ACCOUNTS,
	FLAT_USERS,
	FLAT_WEIGHT,
	FLAT_HALF_LIFE,
	FLAT_WINDOW,
	FLAT_PATIENCE, /* as in C */
	FLAT_IDS,
	FLAT_TARGETS, /* how many follow; then as many shares */
	FLAT_SHARES,
	FLAT_RESOURCES, /* and as many amounts for each class */
	FLAT_CLASSES,
	FLAT_WIDE,
	FLAT_CONFIG
};

/* A job; amounts and classes follow. */
enum {
	FLAT_NUMBER,
	FLAT_SUBMIT,
	FLAT_JOB_PROCS,
	FLAT_WALLTIME,
	FLAT_USER,
	FLAT_GROUP,
	FLAT_ACCOUNT,
	FLAT_QUEUE,
	FLAT_QOS,
	FLAT_TASKS,
	FLAT_ADVANCE,
	FLAT_WAITS, /* 1: the next four are its condition */
	FLAT_BEGIN,
	FLAT_AFTER,
	FLAT_END,
	FLAT_HELD,
	FLAT_AMOUNTS,
	FLAT_JOB_CLASSES,
	FLAT_JOB
};

/* An advance reservation. */
enum {
	FLAT_ADVANCE_NUMBER,
	FLAT_ADVANCE_FROM,
	FLAT_ADVANCE_TO,
	FLAT_ADVANCE_PROCS,
	FLAT_ADVANCE_KIND,
	FLAT_ADVANCE_CLASS,
	FLAT_ADVANCE_FORCE,
	FLAT_ADVANCE_WORDS
};

/* What flat_status() tells. */
enum {
	FLAT_STATUS_STATE,
	FLAT_STATUS_START,
	FLAT_STATUS_END,
	FLAT_STATUS_FIRST_PROMISE,
	FLAT_STATUS_CAUSE,
	FLAT_STATUS_MOVES,
	FLAT_STATUS_WAITS,
	FLAT_STATUS_CLASS,
	FLAT_STATUS_PROCS,
	FLAT_STATUS_WALLTIME,
	FLAT_STATUS_USER,
	FLAT_STATUS
};

/* Events of flat_change(). */
enum {
	FLAT_FINISH, /* @a: the exit status */
	FLAT_CANCEL,
	FLAT_REQUEUE,
	FLAT_SUSPEND,
	FLAT_RESUME,
	FLAT_REFUSE, /* @b: the time before which it does not start */
	FLAT_RETRY,
	FLAT_MODIFY, /* @a: processors, @b: walltime */
	FLAT_WITHDRAW,
	FLAT_REPLAN /* of no job */
};

enum { FLAT_LIST = 4096 };

/* A configuration, and what it points to. */
struct flat_config {
	struct fair_config config;
	struct fair_machine_config machine;
	int64_t target[FLAT_LIST];
	uint32_t share[FLAT_LIST];
	int32_t amount[FAIR_MACHINE_RESOURCES * FAIR_MACHINE_CLASSES];
};

struct flat {
	struct fair_sched sched;
	struct flat_config of;
	size_t bytes;
	void *memory;
	const char *refused;
	char damage[128];
};

static bool flat_is_u32(int64_t x)
{
	return x >= 0 && x <= UINT32_MAX;
}

static bool flat_is_i32(int64_t x)
{
	return x >= INT32_MIN && x <= INT32_MAX;
}

/* NULL, or what is wrong. */
static const char *flat_read(struct flat_config *f, const int64_t *word,
			     size_t words)
{
	struct fair_config *c = &f->config;
	size_t targets, shares, amounts, i;
	uint32_t resources, classes, wide;

	FAIR_MEMSET(f, 0, sizeof(*f));
	if (words < FLAT_CONFIG)
		return "the configuration is too short";
	for (i = 0; i < FLAT_CONFIG; i++)
		if (i != FLAT_ORIGIN && i != FLAT_WEIGHT &&
		    i != FLAT_HALF_LIFE && i != FLAT_WINDOW &&
		    i != FLAT_PATIENCE &&
		    !(i == FLAT_PROCS ? flat_is_i32(word[i])
				      : flat_is_u32(word[i])))
			return "a number of the configuration is too large";
	if (word[FLAT_TARGETS] > FLAT_LIST || word[FLAT_SHARES] > FLAT_LIST ||
	    word[FLAT_RESOURCES] > FAIR_MACHINE_RESOURCES ||
	    word[FLAT_CLASSES] > FAIR_MACHINE_CLASSES)
		return "a list of the configuration is too long";
	targets = (size_t)word[FLAT_TARGETS];
	shares = (size_t)word[FLAT_SHARES];
	amounts = (size_t)(word[FLAT_RESOURCES] * word[FLAT_CLASSES]);
	if (words != FLAT_CONFIG + targets + shares + amounts)
		return "the lists of the configuration are not whole";
	c->policy = (uint32_t)word[FLAT_POLICY];
	c->order = (uint32_t)word[FLAT_ORDER];
	c->depth = (uint32_t)word[FLAT_DEPTH];
	c->procs = (int32_t)word[FLAT_PROCS];
	c->origin = word[FLAT_ORIGIN];
	c->jobs = (uint32_t)word[FLAT_JOBS];
	c->ineligible = (uint32_t)word[FLAT_INELIGIBLE];
	c->advances = (uint32_t)word[FLAT_ADVANCES];
	c->accounts = (uint32_t)word[FLAT_ACCOUNTS];
	c->users = (uint32_t)word[FLAT_USERS];
	c->weight = word[FLAT_WEIGHT];
	c->half_life = word[FLAT_HALF_LIFE];
	c->window = word[FLAT_WINDOW];
	c->patience = word[FLAT_PATIENCE];
	c->ids = (uint32_t)word[FLAT_IDS];
	resources = (uint32_t)word[FLAT_RESOURCES];
	classes = (uint32_t)word[FLAT_CLASSES];
	wide = (uint32_t)word[FLAT_WIDE];
	word += FLAT_CONFIG;
	for (i = 0; i < targets; i++)
		f->target[i] = *word++;
	for (i = 0; i < shares; i++) {
		if (!flat_is_u32(*word))
			return "a share is too large";
		f->share[i] = (uint32_t)*word++;
	}
	for (i = 0; i < amounts; i++) {
		if (!flat_is_i32(*word))
			return "an amount is too large";
		f->amount[i] = (int32_t)*word++;
	}
	/* The library reads as many as there are accounts, users. */
	if ((targets && targets != c->accounts) || (shares && shares != c->users))
		return "a list has another length than accounts or users";
	c->target = targets ? f->target : NULL;
	c->share = shares ? f->share : NULL;
	if (amounts) {
		f->machine.resources = resources;
		f->machine.classes = classes;
		f->machine.wide = wide;
		f->machine.amount = f->amount;
		c->machine = &f->machine;
	}
	return NULL;
}

/** flat_error() - an error in English. */
FLAT_API const char *flat_error(int64_t error)
{
	return fair_strerror((int)error);
}

/** flat_config_error() - NULL, or what is wrong with a configuration. */
FLAT_API const char *flat_config_error(struct flat_config *scratch,
				       const int64_t *word, size_t words)
{
	const char *problem = flat_read(scratch, word, words);

	return problem ? problem : fair_sched_config_error(&scratch->config);
}

/** flat_config_size() - bytes of struct flat_config. */
FLAT_API size_t flat_config_size(void)
{
	return sizeof(struct flat_config);
}

/** flat_size() - bytes for a scheduler; 0: flat_config_error(). */
FLAT_API size_t flat_size(struct flat_config *scratch, const int64_t *word,
			  size_t words)
{
	size_t bytes = flat_read(scratch, word, words)
			       ? 0
			       : fair_sched_size(&scratch->config);

	return bytes && bytes <= SIZE_MAX - sizeof(struct flat)
		       ? sizeof(struct flat) + bytes
		       : 0;
}

/** flat_damage() - why flat_open() refused a checkpoint; "": another error. */
FLAT_API const char *flat_damage(const struct flat *f)
{
	return f->damage;
}

/** flat_open() - begin, or with @checkpoint go on from it. */
FLAT_API int64_t flat_open(struct flat *f, size_t bytes, const int64_t *word,
			   size_t words, const void *checkpoint,
			   size_t checkpoint_bytes)
{
	int error, damage = 0;

	if (bytes < sizeof(*f))
		return -FAIR_ENOMEM;
	f->damage[0] = '\0';
	f->refused = NULL;
	if (flat_read(&f->of, word, words))
		return -FAIR_EINVAL;
	f->memory = f + 1;
	f->bytes = bytes - sizeof(*f);
	if (!checkpoint)
		return fair_sched_init(&f->sched, sizeof(f->sched), f->memory,
				       f->bytes, &f->of.config);
	error = fair_sched_load(&f->sched, sizeof(f->sched), f->memory,
				f->bytes, &f->of.config, checkpoint,
				checkpoint_bytes, &damage);
	if (damage)
		fair_damage_text(damage, &f->of.config, checkpoint,
				 checkpoint_bytes, f->damage,
				 sizeof(f->damage));
	return error;
}

FLAT_API int64_t flat_save_size(const struct flat *f)
{
	return (int64_t)fair_sched_checkpoint_size(&f->sched);
}

FLAT_API int64_t flat_save(const struct flat *f, void *to, size_t bytes)
{
	return fair_sched_save(&f->sched, to, bytes);
}

static struct fair_eligibility flat_condition(const int64_t *word)
{
	struct fair_eligibility condition;

	FAIR_MEMSET(&condition, 0, sizeof(condition));
	condition.begin = word[FLAT_BEGIN - FLAT_BEGIN];
	condition.after = (uint64_t)word[FLAT_AFTER - FLAT_BEGIN];
	condition.end = (uint32_t)word[FLAT_END - FLAT_BEGIN];
	condition.held = word[FLAT_HELD - FLAT_BEGIN] != 0;
	return condition;
}

/** flat_submit() - a job arrives; @word: FLAT_JOB numbers, and the lists. */
FLAT_API int64_t flat_submit(struct flat *f, int64_t now, const int64_t *word,
			     size_t words)
{
	int32_t amount[FAIR_MACHINE_RESOURCES] = { 0 };
	uint8_t node_class[FAIR_MACHINE_CLASSES] = { 0 };
	struct fair_eligibility condition;
	struct fair_job job;
	size_t amounts, classes, i;
	int error;

	f->refused = NULL;
	if (words < FLAT_JOB || !flat_is_i32(word[FLAT_JOB_PROCS]) ||
	    !flat_is_u32(word[FLAT_TASKS]) || !flat_is_u32(word[FLAT_END]) ||
	    word[FLAT_AMOUNTS] < 0 ||
	    word[FLAT_AMOUNTS] > FAIR_MACHINE_RESOURCES ||
	    word[FLAT_JOB_CLASSES] < 0 ||
	    word[FLAT_JOB_CLASSES] > FAIR_MACHINE_CLASSES)
		return -FAIR_EINVAL;
	amounts = (size_t)word[FLAT_AMOUNTS];
	classes = (size_t)word[FLAT_JOB_CLASSES];
	if (words != FLAT_JOB + amounts + classes)
		return -FAIR_EINVAL;
	FAIR_MEMSET(&job, 0, sizeof(job));
	job.number = (uint64_t)word[FLAT_NUMBER];
	job.submit = word[FLAT_SUBMIT];
	job.procs = (int32_t)word[FLAT_JOB_PROCS];
	job.walltime = word[FLAT_WALLTIME];
	job.user = (uint64_t)word[FLAT_USER];
	job.group = (uint64_t)word[FLAT_GROUP];
	job.account = (uint64_t)word[FLAT_ACCOUNT];
	job.queue = (uint64_t)word[FLAT_QUEUE];
	job.qos = (uint64_t)word[FLAT_QOS];
	job.tasks = (uint32_t)word[FLAT_TASKS];
	job.advance = (uint64_t)word[FLAT_ADVANCE];
	for (i = 0; i < amounts; i++) {
		if (!flat_is_i32(word[FLAT_JOB + i]))
			return -FAIR_EINVAL;
		amount[i] = (int32_t)word[FLAT_JOB + i];
	}
	for (i = 0; i < classes; i++) {
		if (word[FLAT_JOB + amounts + i] < 0 ||
		    word[FLAT_JOB + amounts + i] > UINT8_MAX)
			return -FAIR_EINVAL;
		node_class[i] = (uint8_t)word[FLAT_JOB + amounts + i];
	}
	job.amount = amounts ? amount : NULL;
	job.classes = classes ? node_class : NULL;
	job.class_count = (uint32_t)classes;
	condition = flat_condition(word + FLAT_BEGIN);
	error = fair_sched_submit_ineligible(&f->sched, now, &job,
					     word[FLAT_WAITS] ? &condition
							      : NULL);
	if (error)
		f->refused = fair_sched_job_error(&f->sched, now, &job);
	return error;
}

/** flat_refused() - which field flat_submit() refused; NULL: none. */
FLAT_API const char *flat_refused(const struct flat *f)
{
	return f->refused;
}

/* With twice the jobs. @f: where the lists are */
static struct fair_config flat_grown(const struct flat *f)
{
	struct fair_config c = f->of.config;

	c.jobs *= 2;
	if (c.target)
		c.target = f->of.target;
	if (c.share)
		c.share = f->of.share;
	if (c.machine)
		c.machine = &f->of.machine;
	return c;
}

/**
 * flat_grow_size() - bytes for twice the jobs, when flat_submit() has returned
 * -FAIR_ENOSPC; 0: there cannot be more.
 */
FLAT_API size_t flat_grow_size(const struct flat *f)
{
	struct fair_config c = flat_grown(f);
	size_t bytes = fair_sched_grow_size(&f->sched, &c);

	return bytes && bytes <= SIZE_MAX - sizeof(*f) ? sizeof(*f) + bytes : 0;
}

/**
 * flat_grow() - a copy with room for twice the jobs.
 * @to: flat_grow_size() bytes; @f may go, or stay if the copy is of no use
 */
FLAT_API int64_t flat_grow(const struct flat *f, struct flat *to, size_t bytes)
{
	if (bytes < sizeof(*to))
		return -FAIR_ENOMEM;
	*to = *f;
	to->of.machine.amount = to->of.amount;
	to->of.config = flat_grown(to);
	to->memory = to + 1;
	to->bytes = bytes - sizeof(*to);
	return fair_sched_grow(&to->sched, to->memory, to->bytes,
			       &to->of.config);
}

/**
 * flat_saved_jobs() - the jobs for which a checkpoint has room: one that is
 * loaded into less may be refused; 0: it is damaged.
 */
FLAT_API int64_t flat_saved_jobs(const void *checkpoint, size_t bytes)
{
	struct fair_config c;

	return fair_sched_checkpoint_config(checkpoint, bytes, &c, NULL)
		       ? 0
		       : c.jobs;
}


/** flat_defer() - @word: begin, after, end, held; NULL: nothing. */
FLAT_API int64_t flat_defer(struct flat *f, int64_t now, int64_t number,
			    const int64_t *word)
{
	struct fair_eligibility condition;

	if (!word)
		return fair_sched_defer(&f->sched, now, (uint64_t)number, NULL);
	if (!flat_is_u32(word[FLAT_END - FLAT_BEGIN]))
		return -FAIR_EINVAL;
	condition = flat_condition(word);
	return fair_sched_defer(&f->sched, now, (uint64_t)number, &condition);
}

/** flat_change() - an event of a job or an advance reservation. */
FLAT_API int64_t flat_change(struct flat *f, int64_t event, int64_t now,
			     int64_t number, int64_t a, int64_t b)
{
	uint64_t n = (uint64_t)number;
	struct fair_sched *s = &f->sched;

	if (!flat_is_i32(a))
		return -FAIR_EINVAL;
	switch (event) {
	case FLAT_FINISH:
		return fair_sched_exit(s, now, n, (int32_t)a);
	case FLAT_CANCEL:
		return fair_sched_cancel(s, now, n);
	case FLAT_REQUEUE:
		return fair_sched_requeue(s, now, n);
	case FLAT_SUSPEND:
		return fair_sched_suspend(s, now, n);
	case FLAT_RESUME:
		return fair_sched_resume_job(s, now, n);
	case FLAT_REFUSE:
		return fair_sched_refuse_until(s, now, n, b);
	case FLAT_RETRY:
		return fair_sched_retry(s, now, n);
	case FLAT_MODIFY:
		return fair_sched_modify(s, now, n, (int32_t)a, b);
	case FLAT_WITHDRAW:
		return fair_sched_advance_cancel(s, now, n);
	case FLAT_REPLAN:
		return fair_sched_replan(s, now);
	default:
		return -FAIR_EINVAL;
	}
}

/** flat_finish_many() - @status: of each; NULL: all 0. */
FLAT_API int64_t flat_finish_many(struct flat *f, int64_t now,
				  const int64_t *number, const int32_t *status,
				  size_t n)
{
	return fair_sched_finish_many(&f->sched, now, (const uint64_t *)number,
				      status, n);
}

FLAT_API int64_t flat_capacity(struct flat *f, int64_t now, int64_t delta,
			       const int64_t *victim, size_t victims)
{
	if (!flat_is_i32(delta))
		return -FAIR_EINVAL;
	return fair_sched_capacity(&f->sched, now, (int32_t)delta,
				   (const uint64_t *)victim, victims);
}

FLAT_API int64_t flat_reserve(struct flat *f, int64_t now, const int64_t *word)
{
	struct fair_advance advance;

	if (!flat_is_i32(word[FLAT_ADVANCE_PROCS]) ||
	    !flat_is_u32(word[FLAT_ADVANCE_KIND]) ||
	    !flat_is_u32(word[FLAT_ADVANCE_CLASS]))
		return -FAIR_EINVAL;
	FAIR_MEMSET(&advance, 0, sizeof(advance));
	advance.number = (uint64_t)word[FLAT_ADVANCE_NUMBER];
	advance.from = word[FLAT_ADVANCE_FROM];
	advance.to = word[FLAT_ADVANCE_TO];
	advance.procs = (int32_t)word[FLAT_ADVANCE_PROCS];
	advance.kind = (uint32_t)word[FLAT_ADVANCE_KIND];
	advance.node_class = (uint32_t)word[FLAT_ADVANCE_CLASS];
	return fair_sched_advance_reserve(&f->sched, now, &advance,
					  word[FLAT_ADVANCE_FORCE] != 0);
}

/** flat_step() - how many start: @start[2 i] in class @start[2 i + 1]. */
FLAT_API int64_t flat_step(struct flat *f, int64_t now, int64_t *start,
			   size_t room)
{
	struct fair_decision decision;
	size_t done, n = 1;
	int error;

	for (done = 0; done < room && n; done += n) {
		error = fair_sched_step(&f->sched, now, &decision, 1, &n);
		if (error)
			return error;
		if (n) {
			start[2 * done] = (int64_t)decision.number;
			start[2 * done + 1] = decision.node_class;
		}
	}
	return (int64_t)done;
}

FLAT_API int64_t flat_next(const struct flat *f)
{
	return fair_sched_next(&f->sched);
}

FLAT_API int64_t flat_next_start(const struct flat *f)
{
	return fair_sched_next_start(&f->sched);
}

FLAT_API int64_t flat_count(const struct flat *f, int64_t state)
{
	return fair_sched_count(&f->sched, (uint32_t)state);
}

/**
 * flat_each() - the next job of a state
 * @at:     0 at first; any change of the scheduler ends the iteration
 * @number: out: its number
 *
 * Return: 1; 0 at the end.
 */
FLAT_API int64_t flat_each(const struct flat *f, int64_t state, int64_t *at,
			   int64_t *number)
{
	struct fair_job_status status;
	struct fair_queue_place place;

	place.row = (uint32_t)((uint64_t)*at >> 32);
	place.index = (uint32_t)(uint64_t)*at;
	if (!fair_sched_each(&f->sched, (uint32_t)state, &place, &status))
		return 0;
	*at = (int64_t)((uint64_t)place.row << 32 | place.index);
	*number = (int64_t)status.job.number;
	return 1;
}

FLAT_API uint64_t flat_digest(const struct flat *f)
{
	return fair_sched_digest(&f->sched);
}

FLAT_API int64_t flat_check(const struct flat *f)
{
	return fair_sched_check(&f->sched);
}

/** flat_status() - @out: FLAT_STATUS numbers. */
FLAT_API int64_t flat_status(const struct flat *f, int64_t number, int64_t *out)
{
	struct fair_job_status status;
	int error = fair_sched_lookup(&f->sched, (uint64_t)number, &status);

	if (error)
		return error;
	out[FLAT_STATUS_STATE] = status.state;
	out[FLAT_STATUS_START] = status.start;
	out[FLAT_STATUS_END] = status.end;
	out[FLAT_STATUS_FIRST_PROMISE] = status.first_promise;
	out[FLAT_STATUS_CAUSE] = status.cause;
	out[FLAT_STATUS_MOVES] = status.moves;
	out[FLAT_STATUS_WAITS] = status.waits;
	out[FLAT_STATUS_CLASS] = status.node_class;
	out[FLAT_STATUS_PROCS] = status.job.procs;
	out[FLAT_STATUS_WALLTIME] = status.job.walltime;
	out[FLAT_STATUS_USER] = (int64_t)status.job.user;
	return 0;
}

/** flat_scratch_size() - bytes for flat_estimate() and flat_why(). */
FLAT_API size_t flat_scratch_size(const struct flat *f)
{
	return fair_sched_fst_size(&f->of.config);
}

FLAT_API int64_t flat_estimate(const struct flat *f, int64_t number,
			       void *scratch, size_t bytes, int64_t *start)
{
	return fair_sched_estimate(&f->sched, (uint64_t)number, scratch, bytes,
				   start);
}

/** flat_why() - bytes of the text, cut at @room, or an error. */
FLAT_API int64_t flat_why(const struct flat *f, int64_t number, void *scratch,
			  size_t bytes, char *text, size_t room)
{
	struct fair_why why;
	int error = fair_sched_why(&f->sched, (uint64_t)number, scratch, bytes,
				   &why);

	return error ? error : (int64_t)fair_why_text(&why, text, room);
}

/** flat_usage() - of a user, account ...: whole processor-seconds. */
FLAT_API int64_t flat_usage(const struct flat *f, int64_t kind, int64_t id,
			    int64_t *usage)
{
	struct fair_entity entity;
	int error = fair_sched_get_entity(&f->sched, (uint32_t)kind,
					  (uint64_t)id, &entity);

	if (!error)
		*usage = (int64_t)entity.usage;
	return error;
}

FLAT_API int64_t flat_add_entity(struct flat *f, int64_t now, int64_t kind,
				 int64_t id)
{
	return fair_sched_add_entity(&f->sched, now, (uint32_t)kind,
				     (uint64_t)id);
}

/* Of flat_replay_size() and flat_replay(). */
static struct fair_replay flat_jobs(const int64_t *const *column,
				    const int32_t *procs, size_t jobs)
{
	struct fair_replay r;

	FAIR_MEMSET(&r, 0, sizeof(r));
	r.jobs = jobs;
	r.submit = column[0];
	r.run = column[1];
	r.walltime = column[2];
	r.procs = procs;
	r.user = column[3];
	return r;
}

/**
 * flat_replay_size() - bytes to play jobs that are in order of submission.
 * @user: may be NULL
 *
 * Return: 0 if a job, or the configuration, is not valid.
 */
FLAT_API size_t flat_replay_size(struct flat_config *scratch,
				 const int64_t *word, size_t words,
				 const int64_t *submit, const int64_t *run,
				 const int64_t *walltime, const int32_t *procs,
				 const int64_t *user, size_t jobs)
{
	const int64_t *const column[] = { submit, run, walltime, user };
	struct fair_replay r = flat_jobs(column, procs, jobs);

	return flat_read(scratch, word, words)
		       ? 0
		       : fair_replay_size(&r, &scratch->config);
}

/** flat_replay() - play them: @start and, unless NULL, @promise of each. */
FLAT_API int64_t flat_replay(struct flat_config *scratch, const int64_t *word,
			     size_t words, const int64_t *submit,
			     const int64_t *run, const int64_t *walltime,
			     const int32_t *procs, const int64_t *user,
			     size_t jobs, void *memory, size_t bytes,
			     int64_t *start, int64_t *promise,
			     uint64_t *digest)
{
	const int64_t *const column[] = { submit, run, walltime, user };
	struct fair_replay r = flat_jobs(column, procs, jobs);
	int error;

	if (flat_read(scratch, word, words))
		return -FAIR_EINVAL;
	r.start = start;
	r.promise = promise;
	error = fair_replay(&r, &scratch->config, memory, bytes);
	if (!error)
		*digest = r.digest;
	return error;
}

/* The functions of flat_call(), with the order of their arguments. */
enum {
	FLAT_CALL_VERSION,
	FLAT_CALL_ERROR, /* error */
	FLAT_CALL_POLICY, /* name: its number */
	FLAT_CALL_ORDER, /* name: its number */
	FLAT_CALL_STATE, /* number: its name */
	FLAT_CALL_CAUSE, /* number: its name */
	FLAT_CALL_CONFIG_SIZE,
	FLAT_CALL_CONFIG_ERROR, /* scratch, words, how many */
	FLAT_CALL_SIZE, /* scratch, words, how many */
	FLAT_CALL_OPEN, /* flat, bytes, words, how many, checkpoint, bytes */
	FLAT_CALL_SAVE_SIZE, /* flat */
	FLAT_CALL_SAVE, /* flat, to, bytes */
	FLAT_CALL_SUBMIT, /* flat, now, words, how many */
	FLAT_CALL_DEFER, /* flat, now, number, words */
	FLAT_CALL_CHANGE, /* flat, event, now, number, a, b */
	FLAT_CALL_CAPACITY, /* flat, now, delta, victims, how many */
	FLAT_CALL_RESERVE, /* flat, now, words */
	FLAT_CALL_STEP, /* flat, now, starts, room */
	FLAT_CALL_NEXT, /* flat */
	FLAT_CALL_COUNT, /* flat, state */
	FLAT_CALL_DIGEST, /* flat */
	FLAT_CALL_CHECK, /* flat */
	FLAT_CALL_STATUS, /* flat, number, out */
	FLAT_CALL_SCRATCH_SIZE, /* flat */
	FLAT_CALL_ESTIMATE, /* flat, number, scratch, bytes, start */
	FLAT_CALL_WHY, /* flat, number, scratch, bytes, text, room */
	FLAT_CALL_USAGE, /* flat, kind, id, usage */
	FLAT_CALL_ADD_ENTITY, /* flat, now, kind, id */
	FLAT_CALL_REPLAY_SIZE, /* scratch, words, how many, submit, run,
				* walltime, procs, user, jobs */
	FLAT_CALL_REPLAY, /* the same, memory, bytes, start, promise, digest */
	FLAT_CALL_STATE_NUMBER, /* name: its number */
	FLAT_CALL_EACH, /* flat, state, at, number */
	FLAT_CALL_DAMAGE, /* flat */
	FLAT_CALL_REFUSED, /* flat */
	FLAT_CALL_FINISH_MANY, /* flat, now, numbers, statuses, how many */
	FLAT_CALL_NEXT_START, /* flat */
	FLAT_CALL_GROW_SIZE, /* flat */
	FLAT_CALL_GROW, /* flat, to, bytes */
	FLAT_CALL_SAVED_JOBS /* checkpoint, bytes */
};

/* An argument that is an address. */
static void *flat_address(int64_t word)
{
	return (void *)(uintptr_t)word;
}

static int64_t flat_text(const char *text)
{
	return (int64_t)(uintptr_t)text;
}

static int64_t flat_call_replay(const int64_t *a, bool size)
{
	struct flat_config *scratch = (struct flat_config *)flat_address(a[0]);
	const int64_t *word = (const int64_t *)flat_address(a[1]);
	const int64_t *submit = (const int64_t *)flat_address(a[3]);
	const int64_t *run = (const int64_t *)flat_address(a[4]);
	const int64_t *walltime = (const int64_t *)flat_address(a[5]);
	const int32_t *procs = (const int32_t *)flat_address(a[6]);
	const int64_t *user = (const int64_t *)flat_address(a[7]);
	size_t words = (size_t)a[2], jobs = (size_t)a[8];

	if (size)
		return (int64_t)flat_replay_size(scratch, word, words, submit,
						 run, walltime, procs, user,
						 jobs);
	return flat_replay(scratch, word, words, submit, run, walltime, procs,
			   user, jobs, flat_address(a[9]), (size_t)a[10],
			   (int64_t *)flat_address(a[11]),
			   (int64_t *)flat_address(a[12]),
			   (uint64_t *)flat_address(a[13]));
}

/* Of those that take no scheduler. */
static int64_t flat_call_alone(int64_t function, const int64_t *a)
{
	struct flat_config *scratch = (struct flat_config *)flat_address(a[0]);
	const int64_t *word = (const int64_t *)flat_address(a[1]);
	const char *name = (const char *)flat_address(a[0]);

	switch (function) {
	case FLAT_CALL_VERSION:
		return flat_text(fair_version());
	case FLAT_CALL_ERROR:
		return flat_text(flat_error(a[0]));
	case FLAT_CALL_POLICY:
		return fair_policy_by_name(name);
	case FLAT_CALL_ORDER:
		return fair_order_by_name(name);
	case FLAT_CALL_STATE:
		return flat_text(fair_state_name((uint32_t)a[0]));
	case FLAT_CALL_STATE_NUMBER:
		return fair_state_by_name(name);
	case FLAT_CALL_CAUSE:
		return flat_text(fair_cause_name((uint32_t)a[0]));
	case FLAT_CALL_CONFIG_SIZE:
		return (int64_t)flat_config_size();
	case FLAT_CALL_CONFIG_ERROR:
		return flat_text(flat_config_error(scratch, word, (size_t)a[2]));
	case FLAT_CALL_SIZE:
		return (int64_t)flat_size(scratch, word, (size_t)a[2]);
	case FLAT_CALL_SAVED_JOBS:
		return flat_saved_jobs(flat_address(a[0]), (size_t)a[1]);
	case FLAT_CALL_REPLAY_SIZE:
	case FLAT_CALL_REPLAY:
		return flat_call_replay(a, function == FLAT_CALL_REPLAY_SIZE);
	default:
		return -FAIR_EINVAL;
	}
}

/**
 * flat_call() - any function above, for languages that reach few functions
 * @function: FLAT_CALL_...
 * @a:        its arguments; addresses and sizes are numbers, too
 *
 * Return: what it returns.
 */
FLAT_API int64_t flat_call(int64_t function, const int64_t *a)
{
	struct flat *f = (struct flat *)flat_address(a[0]);
	int64_t *word = (int64_t *)flat_address(a[2]);

	switch (function) {
	case FLAT_CALL_OPEN:
		return flat_open(f, (size_t)a[1], word, (size_t)a[3],
				 flat_address(a[4]), (size_t)a[5]);
	case FLAT_CALL_DAMAGE:
		return flat_text(flat_damage(f));
	case FLAT_CALL_REFUSED:
		return flat_text(flat_refused(f));
	case FLAT_CALL_GROW_SIZE:
		return (int64_t)flat_grow_size(f);
	case FLAT_CALL_GROW:
		return flat_grow(f, (struct flat *)flat_address(a[1]),
				 (size_t)a[2]);
	case FLAT_CALL_SAVE_SIZE:
		return flat_save_size(f);
	case FLAT_CALL_SAVE:
		return flat_save(f, flat_address(a[1]), (size_t)a[2]);
	case FLAT_CALL_SUBMIT:
		return flat_submit(f, a[1], word, (size_t)a[3]);
	case FLAT_CALL_DEFER:
		return flat_defer(f, a[1], a[2],
				  (const int64_t *)flat_address(a[3]));
	case FLAT_CALL_CHANGE:
		return flat_change(f, a[1], a[2], a[3], a[4], a[5]);
	case FLAT_CALL_CAPACITY:
		return flat_capacity(f, a[1], a[2],
				     (const int64_t *)flat_address(a[3]),
				     (size_t)a[4]);
	case FLAT_CALL_RESERVE:
		return flat_reserve(f, a[1], word);
	case FLAT_CALL_STEP:
		return flat_step(f, a[1], word, (size_t)a[3]);
	case FLAT_CALL_FINISH_MANY:
		return flat_finish_many(f, a[1], word,
					(const int32_t *)flat_address(a[3]),
					(size_t)a[4]);
	case FLAT_CALL_NEXT_START:
		return flat_next_start(f);
	case FLAT_CALL_NEXT:
		return flat_next(f);
	case FLAT_CALL_COUNT:
		return flat_count(f, a[1]);
	case FLAT_CALL_EACH:
		return flat_each(f, a[1], word, (int64_t *)flat_address(a[3]));
	case FLAT_CALL_DIGEST:
		return (int64_t)flat_digest(f);
	case FLAT_CALL_CHECK:
		return flat_check(f);
	case FLAT_CALL_STATUS:
		return flat_status(f, a[1], word);
	case FLAT_CALL_SCRATCH_SIZE:
		return (int64_t)flat_scratch_size(f);
	case FLAT_CALL_ESTIMATE:
		return flat_estimate(f, a[1], word, (size_t)a[3],
				     (int64_t *)flat_address(a[4]));
	case FLAT_CALL_WHY:
		return flat_why(f, a[1], word, (size_t)a[3],
				(char *)flat_address(a[4]), (size_t)a[5]);
	case FLAT_CALL_USAGE:
		return flat_usage(f, a[1], a[2],
				  (int64_t *)flat_address(a[3]));
	case FLAT_CALL_ADD_ENTITY:
		return flat_add_entity(f, a[1], a[2], a[3]);
	default:
		return flat_call_alone(function, a);
	}
}

#endif /* FAIR_FLAT_H */
