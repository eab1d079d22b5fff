/* SPDX-License-Identifier: MIT OR Unlicense */
#include "priority_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "behind.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/csv.h"

struct row {
	struct fair_job job;
	uint32_t rank;
};

/* The queue at that time. */
struct list {
	struct snapshot snapshot;
	struct row *row;
	size_t rows;
	uint32_t users;
	struct fair_fairtree tree; /* as it is then, ranked */
	void *memory;
};

static int first_in_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->job.submit != y->job.submit)
		return x->job.submit < y->job.submit ? -1 : 1;
	return x->job.number < y->job.number ? -1
					     : x->job.number > y->job.number;
}

static int open_tree(struct list *l, const struct fair_fairtree *f)
{
	size_t bytes = fair_fairtree_size(l->snapshot.files.tree.nodes);

	l->memory = malloc(bytes);
	if (!l->memory)
		return -FAIR_ENOMEM;
	(void)fair_fairtree_clone(&l->tree, l->memory, bytes, f);
	fair_fairtree_sort(&l->tree);
	l->users = fair_fairtree_users(&l->tree);
	return 0;
}

static int look(void *ctx, struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct list *l = ctx;
	int error = open_tree(l, fair_sched_tree(s));

	if (error)
		return error;
	while (fair_sched_each(s, FAIR_QUEUED, &at, &j)) {
		l->row[l->rows].job = j.job;
		l->row[l->rows++].rank =
			fair_fairtree_rank(&l->tree, (uint32_t)j.job.user);
	}
	qsort(l->row, l->rows, sizeof(*l->row), first_in_order);
	return 0;
}

static int64_t id_of(const struct list *l, const struct row *r)
{
	return l->snapshot.trace.job[r->job.number].id;
}

/* The last job of another user before it; NULL: there is none. */
static const struct row *before(const struct list *l, const struct row *r)
{
	const struct row *other = r;

	while (other != l->row)
		if ((--other)->job.user != r->job.user)
			return other;
	return NULL;
}

static const char *why(const struct list *l, const struct row *r,
		       const struct row *first, char *text, size_t room)
{
	struct fair_why w = { 0 };
	int i;

	w.job = r->job;
	w.job.number = (uint64_t)id_of(l, r);
	w.tree.first = (uint64_t)id_of(l, first);
	w.tree.user = (uint32_t)first->job.user;
	w.tree.tie = !fair_fairtree_compare_users(
		&l->tree, (uint32_t)r->job.user, w.tree.user, &w.tree.node[0],
		&w.tree.node[1]);
	for (i = 0; i < 2; i++) {
		w.tree.account[i] =
			fair_fairtree_account_of(&l->tree, w.tree.node[i]);
		(void)fair_fairtree_part_of(&l->tree, w.tree.node[i],
					    &w.tree.part[i]);
	}
	return behind_text(&l->snapshot.files.tree, &w, text, room);
}

static const char *account_of(const struct tree *t, uint32_t user)
{
	uint32_t parent = t->node[user].parent;

	return parent == TREE_ROOT ? "root" : t->node[parent].name;
}

/* ---- output ---- */

static void put_text(const char *text)
{
	text_csv(stdout, text, strlen(text));
}

static double factor(const struct list *l, const struct row *r)
{
	return (double)r->rank / l->users;
}

static void print_row(const struct list *l, const struct row *r)
{
	const struct tree *t = &l->snapshot.files.tree;
	const struct row *first = before(l, r);
	char text[2048];

	printf("%" PRId64 ",", id_of(l, r));
	put_text(t->node[r->job.user].name);
	putchar(',');
	put_text(account_of(t, (uint32_t)r->job.user));
	printf(",%" PRId64 ",%" PRIu32 ",%.6f,",
	       l->snapshot.at - r->job.submit, r->rank, factor(l, r));
	if (first)
		printf("%" PRId64, id_of(l, first));
	putchar(',');
	if (first)
		put_text(why(l, r, first, text, sizeof(text)));
	putchar('\n');
}

static void print_rows(const struct list *l)
{
	size_t i;

	puts("job_id,user,account,wait,rank,factor,behind,why");
	for (i = 0; i < l->rows; i++)
		print_row(l, &l->row[i]);
}

static void write_row(const struct list *l, const struct row *r, FILE *f)
{
	const struct tree *t = &l->snapshot.files.tree;
	const struct row *first = before(l, r);
	char text[2048];

	fprintf(f, "  { \"job_id\": %" PRId64 ", \"user\": ", id_of(l, r));
	text_json(f, t->node[r->job.user].name);
	fputs(", \"account\": ", f);
	text_json(f, account_of(t, (uint32_t)r->job.user));
	fprintf(f,
		", \"wait\": %" PRId64 ", \"rank\": %" PRIu32
		", \"factor\": %.6f, \"behind\": ",
		l->snapshot.at - r->job.submit, r->rank, factor(l, r));
	if (first)
		fprintf(f, "%" PRId64 ", \"why\": ", id_of(l, first));
	else
		fputs("null, \"why\": null", f);
	if (first)
		text_json(f, why(l, r, first, text, sizeof(text)));
	fputs(" }", f);
}

static int write_rows(const struct list *l, const char *path)
{
	FILE *f = output_open(path);
	size_t i;

	if (!f)
		return EXIT_FAILED;
	putc('[', f);
	for (i = 0; i < l->rows; i++) {
		fputs(i ? ",\n" : "\n", f);
		write_row(l, &l->row[i], f);
	}
	fputs(" ]\n", f);
	return output_commit();
}

int priority_by_tree(const struct command *c, const struct snapshot_args *args,
		     const char *path, const char *json)
{
	struct snapshot_args a = *args;
	struct list l = { 0 };
	int status;

	a.policy = RULES_EASY;
	a.rules.order = SIM_ORDER_TREE;
	status = snapshot_open(&l.snapshot, c, &a, path);
	l.row = malloc((l.snapshot.trace.jobs + 1) * sizeof(*l.row));
	if (!status && !l.row)
		status = run_error("out of memory");
	if (!status)
		status = snapshot_run(&l.snapshot, look, &l);
	if (!status && json)
		status = write_rows(&l, json);
	if (!status && !(json && !strcmp(json, "-")))
		print_rows(&l);
	free(l.row);
	free(l.memory);
	snapshot_close(&l.snapshot);
	return status;
}
