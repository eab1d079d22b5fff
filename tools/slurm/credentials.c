/* SPDX-License-Identifier: MIT OR Unlicense */
#include "credentials.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Finds the slot of a name, or the free slot for it. */
static size_t look_up(const struct credential_names *k, const char *name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	const char *p;
	size_t i;

	for (p = name; *p; p++)
		h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	for (i = (size_t)(h ^ h >> 32) & (k->slots - 1);
	     k->slot[i] && strcmp(k->name[k->slot[i] - 1], name);
	     i = (i + 1) & (k->slots - 1))
		;
	return i;
}

int64_t credentials_add(struct credentials *p, int kind, const char *name)
{
	struct credential_names *k = &p->kind[kind];
	size_t i = look_up(k, name), n = strlen(name) + 1;

	if (k->slot[i])
		return k->slot[i] - 1;
	if (k->names == p->rows)
		return -1;
	k->name[k->names] = malloc(n);
	if (!k->name[k->names])
		return -1;
	memcpy(k->name[k->names++], name, n);
	k->slot[i] = (uint32_t)k->names;
	return (int64_t)k->names - 1;
}

static bool is_named(int kind)
{
	return kind != MAUI_QOS;
}

int credentials_open(struct credentials *p, const struct maui *m, size_t rows)
{
	int kind;

	memset(p, 0, sizeof(*p));
	p->site.maui = m;
	p->rows = rows;
	for (kind = 0; kind < MAUI_KINDS; kind++) {
		struct credential_names *k = &p->kind[kind];

		if (!is_named(kind))
			continue;
		for (k->slots = 16; k->slots < 2 * rows; k->slots *= 2)
			;
		k->name = malloc(rows * sizeof(*k->name));
		k->slot = calloc(k->slots, sizeof(*k->slot));
		if (!k->name || !k->slot)
			return -1;
	}
	return 0;
}

/* Gives each configured name a row; the other rows equal DEFAULT. */
static int make_rows(struct credentials *p, int kind)
{
	const struct maui *m = p->site.maui;
	size_t i;

	if (maui_jobs_rows(&p->site, kind, p->rows))
		return -1;
	for (i = 1; i < m->credentials[kind]; i++)
		credentials_add(p, kind, m->credential[kind][i].name);
	for (i = 0; i < p->kind[kind].names; i++)
		maui_jobs_name(&p->site, kind, i, p->kind[kind].name[i]);
	return 0;
}

int credentials_make_site(struct credentials *p)
{
	const struct maui *m = p->site.maui;
	int kind;

	maui_jobs_close(&p->site);
	if (maui_jobs_begin(&p->site, m))
		return -1;
	for (kind = 0; kind < MAUI_KINDS; kind++)
		if (is_named(kind) && make_rows(p, kind))
			return -1;
	return 0;
}

uint64_t credentials_hash(const struct credentials *p)
{
	const struct maui *m = p->site.maui;
	const uint64_t of[] = { (uint64_t)m->fs_policy, (uint64_t)m->fs_depth,
				(uint64_t)m->fs_interval, (uint64_t)m->fs_decay,
				p->rows };
	uint64_t h = 0;
	const char *name;
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(*of); i++)
		h = (h ^ of[i]) * UINT64_C(0x100000001b3);
	for (i = 0; i < m->credentials[MAUI_QOS]; i++)
		for (name = m->credential[MAUI_QOS][i].name; *name; name++)
			h = (h ^ (unsigned char)*name ^ i << 8) *
			    UINT64_C(0x100000001b3);
	return h;
}

void credentials_close(struct credentials *p)
{
	int kind;

	for (kind = 0; kind < MAUI_KINDS; kind++) {
		while (p->kind[kind].names)
			free(p->kind[kind].name[--p->kind[kind].names]);
		free(p->kind[kind].name);
		free(p->kind[kind].slot);
	}
	maui_jobs_close(&p->site);
	memset(p, 0, sizeof(*p));
}

/* ---- jobs ---- */

/* The credentials of a job. */
struct names {
	char text[MAUI_KINDS][CREDENTIAL_NAME];
	struct maui_owner owner;
};

/* Ignores a name that is too long. */
static void set_name(struct names *n, int kind, struct csv_field f)
{
	if (!f.n || f.n >= CREDENTIAL_NAME || memchr(f.p, '\0', f.n))
		return;
	memcpy(n->text[kind], f.p, f.n);
	n->text[kind][f.n] = '\0';
	n->owner.name[kind] = n->text[kind];
}

/* Slurm's accounts are in lower case; of several partitions take the first. */
static void name_credentials(struct names *n, const struct slurm_job *j,
			     const char *account)
{
	struct csv_field partitions = j->partition, first = { NULL, 0 };
	char *p;

	memset(n, 0, sizeof(*n));
	csv_cut(&partitions, ',', &first);
	set_name(n, MAUI_USER, j->user_name);
	set_name(n, MAUI_GROUP, j->group);
	set_name(n, MAUI_CLASS, first);
	set_name(n, MAUI_QOS, j->qos);
	set_name(n, MAUI_ACCOUNT,
		 j->account.n ? j->account : csv_column(account));
	for (p = n->text[MAUI_ACCOUNT]; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
}

static uint32_t qos_of(const struct maui *m, const struct names *n)
{
	const char *qos = n->owner.name[MAUI_QOS];

	if (!qos || !maui_may_use(m, qos, &n->owner))
		qos = maui_default_qos(m, &n->owner);
	return (uint32_t)(maui_settings(m, MAUI_QOS, qos) -
			  m->credential[MAUI_QOS]);
}

int credentials_make_request(struct credentials *p, const struct slurm_job *j,
			     const char *account,
			     struct fair_maui_request *request)
{
	struct names n;
	int64_t row;
	int kind;

	name_credentials(&n, j, account);
	memset(request, 0, sizeof(*request));
	for (kind = 0; kind < MAUI_KINDS; kind++) {
		request->id[kind] = FAIR_THROTTLE_NONE;
		if (!is_named(kind) || !n.owner.name[kind])
			continue;
		row = credentials_add(p, kind, n.owner.name[kind]);
		if (row < 0)
			return -1;
		request->id[kind] = (uint32_t)row;
	}
	request->id[MAUI_QOS] = qos_of(p->site.maui, &n);
	request->procs = j->procs;
	request->nodes = j->nodes;
	request->memory = j->memory;
	request->rate =
		j->procs < 1 << 24 ? (int64_t)j->procs << 8 : INT64_C(1) << 32;
	return 0;
}

const char *credentials_refusal(const struct credentials *p,
				const struct slurm_job *j, const char *account,
				int64_t walltime)
{
	struct names n;

	name_credentials(&n, j, account);
	return maui_refuses(p->site.maui, &n.owner, j->procs, j->nodes, walltime);
}
