/* SPDX-License-Identifier: MIT OR Unlicense */
#include <string.h>

#include "queue_model.h"

size_t queue_model_seek(const struct queue_model *m, int64_t key,
			uint64_t number)
{
	size_t i = 0;

	while (i < m->jobs &&
	       (m->job[i].key < key ||
		(m->job[i].key == key && m->job[i].number < number)))
		i++;
	return i;
}

bool queue_model_has(const struct queue_model *m, int64_t key, uint64_t number)
{
	size_t i = queue_model_seek(m, key, number);

	return i < m->jobs && m->job[i].key == key &&
	       m->job[i].number == number;
}

bool queue_model_insert(struct queue_model *m,
			const struct queue_model_job *job)
{
	size_t i = queue_model_seek(m, job->key, job->number);

	if (queue_model_has(m, job->key, job->number))
		return false;
	memmove(m->job + i + 1, m->job + i, (m->jobs - i) * sizeof(*m->job));
	m->job[i] = *job;
	m->jobs++;
	return true;
}

void queue_model_remove_at(struct queue_model *m, size_t place)
{
	m->jobs--;
	memmove(m->job + place, m->job + place + 1,
		(m->jobs - place) * sizeof(*m->job));
}

size_t queue_model_narrower(const struct queue_model *m, size_t place,
			    int32_t procs)
{
	while (place < m->jobs && m->job[place].procs > procs)
		place++;
	return place;
}
