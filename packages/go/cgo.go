// SPDX-License-Identifier: MIT OR Unlicense

//go:build cgo && !fairsched_wasm

package fairsched

/*
#cgo CFLAGS: -O2 -Wno-unused-function
#ifdef __has_include
#if !__has_include("fairsched.h")
#error "fairsched.h is missing. In the tree of fairsched, sh tools/pack.sh go FOLDER writes a module that has it."
#endif
#endif
#include <stdint.h>
#include <stdlib.h>

int64_t fairsched_call(int64_t function, const int64_t *argument);

// C.malloc ends the program where there is no memory.
static void *allocate(size_t bytes)
{
	return malloc(bytes);
}
*/
import "C"

import "unsafe"

// Backend tells how the library runs.
const Backend = "cgo"

// The library, compiled by cgo. Its addresses are those of C.
type library struct {
	argument [14]int64
	block    []unsafe.Pointer
}

func openLibrary() (*library, error) { return &library{}, nil }

func (l *library) close() { l.release(0) }

func (l *library) call(function int, argument ...int64) int64 {
	l.argument = [14]int64{}
	copy(l.argument[:], argument)
	return int64(C.fairsched_call(C.int64_t(function), (*C.int64_t)(&l.argument[0])))
}

// Memory of the library, aligned to 16 bytes.
func (l *library) alloc(bytes int64) (int64, error) {
	p := C.allocate(C.size_t(bytes + 1)) // none is NULL
	if p == nil {
		return 0, ErrMemory
	}
	l.block = append(l.block, p)
	return int64(uintptr(p)), nil
}

func (l *library) mark() int64 { return int64(len(l.block)) }

// Frees what was allocated after a mark.
func (l *library) release(mark int64) {
	for _, p := range l.block[mark:] {
		C.free(p)
	}
	l.block = l.block[:mark]
}

// Go 1.26 cannot compile some callers that it inlines this into.
//
//go:noinline
func pointer(address int64) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(nil), address)
}

// A view of memory.
func (l *library) bytes(address, n int64) []byte {
	return unsafe.Slice((*byte)(pointer(address)), n)
}

func (l *library) text(address int64) string {
	return C.GoString((*C.char)(pointer(address)))
}

// A copy of words.
func (l *library) words(address, n int64) []int64 {
	return append([]int64(nil), unsafe.Slice((*int64)(pointer(address)), n)...)
}

func put[T any](l *library, from []T) (int64, error) {
	address, err := l.alloc(int64(len(from)) * int64(unsafe.Sizeof(*new(T))))
	if err == nil {
		copy(unsafe.Slice((*T)(pointer(address)), len(from)), from)
	}
	return address, err
}

func (l *library) put(from []byte) (int64, error)       { return put(l, from) }
func (l *library) putInts(from []int32) (int64, error)  { return put(l, from) }
func (l *library) putWords(from []int64) (int64, error) { return put(l, from) }
