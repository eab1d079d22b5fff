// SPDX-License-Identifier: MIT OR Unlicense

//go:build !cgo || fairsched_wasm

package fairsched

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Backend tells how the library runs.
const Backend = "wasm"

// If it is missing: in the tree of fairsched, sh tools/pack.sh go FOLDER writes a
// module that has it.
//
//go:embed fairsched.wasm
var code []byte

// Compiled once, when it is first used.
var compiled = sync.OnceValues(func() (func() (api.Module, error), error) {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	module, err := runtime.CompileModule(ctx, code)
	return func() (api.Module, error) {
		return runtime.InstantiateModule(ctx, module,
			wazero.NewModuleConfig().WithName(""))
	}, err
})

const (
	page      = 1 << 16
	arguments = 14
)

// An instance of the library. Its addresses are those of its memory, which
// grows as a stack.
type library struct {
	module   api.Module
	function api.Function
	argument int64
	top      int64
}

func openLibrary() (*library, error) {
	instantiate, err := compiled()
	if err != nil {
		return nil, err
	}
	module, err := instantiate()
	if err != nil {
		return nil, err
	}
	l := &library{
		module: module, function: module.ExportedFunction("call"),
		top: int64(module.ExportedGlobal("__heap_base").Get()),
	}
	l.argument, err = l.alloc(8 * arguments)
	return l, err
}

func (l *library) close() { _ = l.module.Close(context.Background()) }

func (l *library) call(function int, argument ...int64) int64 {
	var word [arguments]int64
	copy(word[:], argument)
	l.write(l.argument, word[:])
	stack := [2]uint64{uint64(function), uint64(l.argument)}
	if err := l.function.CallWithStack(context.Background(), stack[:]); err != nil {
		panic(err) // a fault of the library
	}
	return int64(stack[0])
}

// Memory of the library, aligned to 16 bytes.
func (l *library) alloc(bytes int64) (int64, error) {
	address := (l.top + 15) &^ 15
	memory := l.module.Memory()
	if bytes > 1<<32-1-address {
		return 0, ErrMemory
	}
	if missing := address + bytes - int64(memory.Size()); missing > 0 {
		if _, ok := memory.Grow(uint32((missing + page - 1) / page)); !ok {
			return 0, ErrMemory
		}
	}
	l.top = address + bytes
	return address, nil
}

func (l *library) mark() int64 { return l.top }

// Frees what was allocated after a mark.
func (l *library) release(mark int64) { l.top = mark }

// A view of memory, until it grows.
func (l *library) bytes(address, n int64) []byte {
	view, ok := l.module.Memory().Read(uint32(address), uint32(n))
	if !ok {
		panic("fairsched: an address is not valid") // a fault of this package
	}
	return view
}

func (l *library) text(address int64) string {
	rest := l.bytes(address, int64(l.module.Memory().Size())-address)
	text, _, _ := bytes.Cut(rest, []byte{0})
	return string(text)
}

// A copy of words.
func (l *library) words(address, n int64) []int64 {
	view, words := l.bytes(address, 8*n), make([]int64, n)
	for i := range words {
		words[i] = int64(binary.LittleEndian.Uint64(view[8*i:]))
	}
	return words
}

func (l *library) write(address int64, words []int64) {
	view := l.bytes(address, int64(8*len(words)))
	for i, word := range words {
		binary.LittleEndian.PutUint64(view[8*i:], uint64(word))
	}
}

func (l *library) put(from []byte) (int64, error) {
	address, err := l.alloc(int64(len(from)))
	if err == nil {
		copy(l.bytes(address, int64(len(from))), from)
	}
	return address, err
}

func (l *library) putInts(from []int32) (int64, error) {
	address, err := l.alloc(int64(4 * len(from)))
	if err == nil {
		view := l.bytes(address, int64(4*len(from)))
		for i, x := range from {
			binary.LittleEndian.PutUint32(view[4*i:], uint32(x))
		}
	}
	return address, err
}

func (l *library) putWords(from []int64) (int64, error) {
	address, err := l.alloc(int64(8 * len(from)))
	if err == nil {
		l.write(address, from)
	}
	return address, err
}
