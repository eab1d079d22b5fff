/* SPDX-License-Identifier: MIT OR Unlicense */
/* Maui's configuration as the library takes it, without the jobs of a trace. */
#include "maui_jobs.h"

#include <stdlib.h>
#include <string.h>

static struct fair_maui_credential convert(const struct maui_credential *c)
{
	struct fair_maui_credential x = fair_maui_credential_defaults();
	int r;

	x.priority = c->priority;
	x.target = c->target;
	x.has_target = c->has_target;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++) {
		x.soft[r] = c->limit[r].soft;
		x.hard[r] = c->limit[r].hard;
	}
	return x;
}

struct fair_maui_credential maui_jobs_settings(const struct maui *m, int kind,
					       const char *name)
{
	return convert(maui_settings(m, kind, name));
}

/* All that are configured, DEFAULT first. */
static int open_qos(struct maui_jobs *s)
{
	size_t n = s->maui->credentials[MAUI_QOS], i;
	const struct maui_credential *c = s->maui->credential[MAUI_QOS];

	s->qos = calloc(n, sizeof(*s->qos));
	s->credential[MAUI_QOS] = malloc(n * sizeof(*s->credential[MAUI_QOS]));
	if (!s->qos || !s->credential[MAUI_QOS])
		return -1;
	for (i = 0; i < n; i++, c++) {
		s->credential[MAUI_QOS][i] = convert(c);
		s->qos[i].flags = c->flags;
		s->qos[i].exempt = c->exempt;
		s->qos[i].queue_time_weight = c->queue_time_weight;
		s->qos[i].xfactor_weight = c->xfactor_weight;
		s->qos[i].queue_time_target = c->queue_time_target;
		s->qos[i].xfactor_target = c->xfactor_target;
	}
	s->config.count[MAUI_QOS] = (uint32_t)n;
	s->config.credential[MAUI_QOS] = s->credential[MAUI_QOS];
	s->config.qos = s->qos;
	return 0;
}

int maui_jobs_begin(struct maui_jobs *s, const struct maui *m)
{
	memset(s, 0, sizeof(*s));
	s->maui = m;
	s->config = fair_maui_defaults();
	s->config.priority = m->priority;
	s->config.depth = (uint32_t)m->depth;
	/* Both enumerate in one order. */
	s->config.reservations = (uint32_t)m->reservations;
	s->config.select = (uint32_t)m->backfill;
	s->config.metric = (uint32_t)m->metric;
	s->config.usage = (uint32_t)m->fs_policy;
	s->config.longest = m->window == MAUI_LONGEST;
	s->config.soft_only = m->backfill == MAUI_NO_BACKFILL;
	s->config.windows = (uint32_t)m->fs_depth;
	s->config.interval = m->fs_interval;
	s->config.decay = (uint64_t)m->fs_decay;
	s->config.poll = m->poll;
	s->config.machine.memory =
		m->memory < MAUI_JOBS_MB ? m->memory : MAUI_JOBS_MB;
	return open_qos(s);
}

void maui_jobs_close(struct maui_jobs *s)
{
	int kind;

	for (kind = 0; kind < MAUI_KINDS; kind++) {
		free(s->number[kind]);
		free(s->credential[kind]);
	}
	free(s->qos);
	memset(s, 0, sizeof(*s));
}
