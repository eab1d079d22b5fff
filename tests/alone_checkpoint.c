/* SPDX-License-Identifier: MIT OR Unlicense */
#include "checkpoint.h"

int alone(void)
{
	struct fair_checkpoint f;
	unsigned char bytes[64];
	int64_t x = -5;
	size_t size;

	fair_checkpoint_write(&f, bytes, 7);
	if (fair_checkpoint_section(&f, 1, 1, 1) != 1)
		return __LINE__;
	fair_checkpoint_record(&f);
	fair_checkpoint_i64(&f, &x);
	size = fair_checkpoint_finish(&f);
	if (size != sizeof(bytes))
		return __LINE__;
	x = 0;
	if (fair_checkpoint_read(&f, bytes, size, 7))
		return __LINE__;
	fair_checkpoint_one(&f, 1, 1);
	fair_checkpoint_i64(&f, &x);
	if (f.bad || x != -5)
		return __LINE__;
	if (fair_checkpoint_read(&f, bytes, size, 8) != FAIR_CHECKPOINT_VERSION)
		return __LINE__;
	return fair_checkpoint_strerror(FAIR_CHECKPOINT_VERSION) ? 0 : __LINE__;
}
