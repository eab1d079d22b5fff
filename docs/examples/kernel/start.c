/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * start.c - the entry of a program and two system calls of Linux, so that a test
 * can run code that was compiled for a kernel. You need not vendor it.
 */
#include <stddef.h>

#include "start.h"

void start(void);

#if defined(__x86_64__)
__asm__(".globl _start\n_start: and $-16, %rsp\n\tcall start\n");
#define WRITE 1
#define EXIT 60
static long call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: bl start\n");
#define WRITE 64
#define EXIT 93
static long call(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b, x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2)
			 : "memory");
	return x0;
}
#elif defined(__riscv)
__asm__(".globl _start\n_start: call start\n");
#define WRITE 64
#define EXIT 93
static long call(long number, long a, long b, long c)
{
	register long a7 __asm__("a7") = number, a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b, a2 __asm__("a2") = c;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2)
			 : "memory");
	return a0;
}
#elif defined(__powerpc64__)
/* The second version of the ABI enters with the address in r12. */
__asm__(".globl _start\n_start: addis 2, 12, .TOC.-_start@ha\n"
	"\taddi 2, 2, .TOC.-_start@l\n\tli 0, 0\n\tstdu 0, -64(1)\n"
	"\tbl start\n\tnop\n");
#define WRITE 4
#define EXIT 1
static long call(long number, long a, long b, long c)
{
	register long r0 __asm__("r0") = number, r3 __asm__("r3") = a;
	register long r4 __asm__("r4") = b, r5 __asm__("r5") = c;

	__asm__ volatile("sc" : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5)
			 : : "r6", "r7", "r8", "r9", "r10", "r11", "r12", "cr0",
			     "memory");
	return r3;
}
#elif defined(__s390x__)
__asm__(".globl _start\n_start: aghi %r15, -160\n\tbrasl %r14, start\n");
#define WRITE 4
#define EXIT 1
static long call(long number, long a, long b, long c)
{
	register long r1 __asm__("r1") = number, r2 __asm__("r2") = a;
	register long r3 __asm__("r3") = b, r4 __asm__("r4") = c;

	__asm__ volatile("svc 0" : "+r"(r2) : "r"(r1), "r"(r3), "r"(r4)
			 : "memory");
	return r2;
}
#elif defined(__wasm__)
/* The program that loads the module starts it and writes its lines. */
#define WRITE 0
__attribute__((import_module("host"), import_name("write")))
void host_write(long text, long n);
static long call(long number, long a, long b, long c)
{
	(void)a;
	host_write(b, c);
	return number;
}
#else
#error "no entry for this processor"
#endif

void put(const char *text)
{
	long n = 0;

	while (text[n])
		n++;
	(void)call(WRITE, 1, (long)text, n);
}

void put_number(uint64_t number, uint32_t base, int width, char pad)
{
	char text[65], *p = text + sizeof(text) - 1;

	*p = '\0';
	do {
		*--p = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	while (p > text && text + sizeof(text) - 1 - p < width)
		*--p = pad;
	put(p);
}

#ifdef EXIT
void start(void)
{
	for (;;)
		(void)call(EXIT, program(), 0, 0);
}
#endif
