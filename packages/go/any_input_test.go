// SPDX-License-Identifier: MIT OR Unlicense
package fairsched

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// An error or an answer, whatever the arguments; never a crash.
type draw struct{ *rand.Rand }

func (d draw) is() bool { return d.IntN(2) > 0 }

func (d draw) number() int64 {
	if d.IntN(10) > 0 {
		return int64(d.IntN(9))
	}
	return []int64{0, -1, math.MaxInt64, math.MinInt64, 1 << 31, 1 << 34, 1 << 50,
		100}[d.IntN(8)]
}

func (d draw) wait() *Wait {
	begin, after := d.number(), uint64(d.number())
	w := &Wait{OK: d.is(), Held: d.is()}
	if d.is() {
		w.Begin = &begin
	}
	if d.is() {
		w.After = &after
	}
	return w
}

func (d draw) job() Job {
	job := Job{
		Number: uint64(d.number()), Procs: int(d.number()),
		Walltime: d.number(), User: uint64(d.number()),
		Tasks: uint32(d.IntN(9)), Amount: []int32{0, 1, 2}[:d.IntN(4)],
		Classes: []uint8{1, 200}[:d.IntN(3)], Advance: uint64(d.number()),
	}
	if d.IntN(3) == 0 {
		job.Wait = d.wait()
	}
	return job
}

func (d draw) event(s *Scheduler, now int64) (err error) {
	number := uint64(d.number())
	switch d.IntN(22) {
	case 0, 1, 2, 3, 4:
		// Its text is that of a field, or of the number.
		var e *Error
		if errors.As(s.Submit(now, d.job()), &e) && e.Text == "" {
			panic(e.Code)
		}
	case 5:
		err = s.Finish(now, number, int(d.number()))
	case 6:
		err = s.Cancel(now, number)
	case 7:
		err = s.Requeue(now, number)
	case 8:
		err = errors.Join(s.Suspend(now, number), s.Resume(now, number))
	case 9:
		err = s.Modify(now, number, int(d.number()), d.number())
	case 10:
		err = s.Capacity(now, int(d.number()), number, number)
	case 11:
		err = s.Reserve(now, Advance{number, d.number(), d.number(),
			int(d.number()), d.is(), uint32(d.number()), d.is()})
	case 12:
		err = errors.Join(s.Defer(now, number, d.wait()), s.Withdraw(now, number))
	case 13:
		_, err = s.Status(number)
	case 14:
		_, err = s.Why(number)
	case 15:
		_, err = s.Estimate(number)
	case 16:
		_, err = s.UserUsage(number)
		err = errors.Join(err, s.AddUser(now, number))
	case 17:
		state := []string{"queued", "running", "ineligible", "x"}[d.IntN(4)]
		var jobs []uint64
		jobs, err = s.Jobs(state)
		for _, number := range jobs {
			if status, err := s.Status(number); err != nil || status.State != state {
				panic(fmt.Sprint(number, status, err))
			}
		}
	case 18:
		err = errors.Join(s.Refuse(now, number), s.Retry(now, number))
	case 19:
		err = s.RefuseUntil(now, number, d.number())
	case 20:
		status := []int32{0, int32(d.number())}[:d.IntN(3)]
		err = s.FinishMany(now, []uint64{number, uint64(d.number())}, status...)
	default:
		_, err = s.Step(now)
	}
	return
}

func (d draw) config() Config {
	c := Config{
		Policy: []string{"fcfs", "easy", "conservative", "pc", "dc", "sfs",
			"relshare"}[d.IntN(7)],
		Procs: 8, Jobs: 20, Ineligible: 20, Advances: 4,
	}
	if c.Policy == "sfs" {
		c.Target = []int64{10, 20}
	}
	if c.Policy == "relshare" {
		c.Share, c.HalfLife, c.Window, c.IDs = []uint32{1, 2}, 100, 100, 4
	}
	if d.IntN(3) == 0 {
		c.Machine = &Machine{Resources: 2, Classes: 2, Amount: []int32{4, 0, 4, 1}}
	}
	for d.IntN(4) == 0 { // most are not valid then
		field := []*int{&c.Depth, &c.Procs, &c.Ineligible, &c.Advances,
			&c.Users, &c.IDs}[d.IntN(6)]
		*field = int(d.number())
		c.Weight, c.Origin = d.number(), d.number()
	}
	return c
}

// Numbered errors have the library's text; of what is not valid there is more to say.
func told(t *testing.T, l *library, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			told(t, l, each)
		}
		return
	}
	if err == nil {
		return
	}
	e := err.(*Error)
	want := l.text(l.call(callError, -int64(e.Code)))
	own := []int{ErrMemory.Code, ErrInvalid.Code, ErrTooLarge.Code}
	if e.Text == "" || e.Text != want && !slices.Contains(own, e.Code) {
		t.Fatalf("%d %q, not %q", e.Code, e.Text, want)
	}
}

func (d draw) round(t *testing.T) {
	config := d.config()
	s, err := New(config)
	if err != nil {
		return
	}
	defer s.Close()
	now := config.Origin
	for range 500 {
		at := now
		if d.IntN(20) == 0 {
			at = d.number()
		} else if now < math.MaxInt64/2 {
			now += int64(d.IntN(2))
		}
		told(t, s.library, d.event(s, at))
	}
	if broken := s.Check(); broken != 0 {
		t.Fatalf("invariant %d under %+v", broken, config)
	}
	saved, err := s.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(config, saved)
	if err != nil || again.Digest() != s.Digest() {
		t.Fatal("a checkpoint", err)
	}
	again.Close()
	other := config
	other.Origin--
	if _, err = Load(other, saved); err == nil ||
		!strings.HasSuffix(err.Error(), ": another origin") {
		t.Fatal("a checkpoint of another origin", err)
	}
	damaged := bytes.Clone(saved)
	damaged[d.IntN(len(saved))] ^= 1
	for _, x := range [][]byte{damaged, saved[:len(saved)/2], {}, nil} {
		if _, err = Load(config, x); err == nil {
			t.Fatal("a damaged checkpoint is loaded")
		}
	}
}

func (d draw) trace(t *testing.T) {
	n := d.IntN(6)
	column := func() []int64 {
		c := make([]int64, n)
		for i := range c {
			c[i] = d.number()
		}
		return c
	}
	trace := Trace{Submit: column(), Run: column(), Walltime: column(),
		Procs: make([]int32, n)}
	for i := range trace.Procs {
		trace.Procs[i] = int32(d.number())
	}
	if d.is() {
		trace.User = column()
	}
	if result, err := Simulate(d.config(), trace); err == nil && len(result.Start) != n {
		t.Fatal("a simulation")
	}
}

// The choices of a fuzzer: its bytes, four for each, then a fixed sequence.
type choices struct {
	bytes []byte
	rest  *rand.PCG
}

func (c *choices) Uint64() uint64 {
	if len(c.bytes) < 4 {
		return c.rest.Uint64()
	}
	// Small ranges are drawn from either half.
	word := uint64(binary.LittleEndian.Uint32(c.bytes))
	c.bytes = c.bytes[4:]
	return word<<32 | word
}

func FuzzAnyInput(f *testing.F) {
	f.Add([]byte{})
	for seed := range byte(5) {
		seeds := make([]byte, 3000)
		rand.NewChaCha8([32]byte{seed}).Read(seeds)
		f.Add(seeds)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := draw{rand.New(&choices{data, rand.NewPCG(0, 0)})}
		d.round(t)
		d.trace(t)
	})
}

// FUZZ_SECONDS is how long; by default one.
func TestAnyInput(t *testing.T) {
	seconds, err := strconv.Atoi(os.Getenv("FUZZ_SECONDS"))
	if err != nil {
		seconds = 1
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	seed := uint64(0)
	for ; time.Now().Before(end); seed++ {
		d := draw{rand.New(rand.NewPCG(seed, 0))}
		d.round(t)
		d.trace(t)
	}
	t.Logf("%d rounds in %d s by %s", seed, seconds, Backend)
}

func TestTexts(t *testing.T) {
	for config, want := range map[*Config]string{
		{}:                               "procs is below 1",
		{Procs: 1, Policy: "best"}:       "there is no policy 'best'",
		{Procs: 1, Policy: "easy\x00"}:   "there is no policy 'easy\x00'",
		{Procs: 1, Jobs: -1}:             "a number of the configuration is too large",
		{Procs: 1, Jobs: math.MaxUint32}: "jobs is not from 1 to 2^30 - 1",
	} {
		_, err := New(*config)
		if err == nil || !errors.Is(err, ErrInvalid) {
			t.Fatal(want, err)
		}
		if err.Error() != want {
			t.Errorf("%q, not %q", err, want)
		}
	}
	l, err := openLibrary()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = l.alloc(1 << 50); !errors.Is(err, ErrMemory) {
		t.Error("a pebibyte", err)
	}
	l.close()
	s, err := New(Config{Procs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err = s.Cancel(0, 7); !errors.Is(err, ErrNotFound) || errors.Is(err, ErrPast) {
		t.Error(err)
	}
	s.Close()
	s.Close()
	if err = s.Cancel(0, 7); err == nil || err.Error() != "the scheduler is closed" {
		t.Error(err)
	}
}

func TestTraces(t *testing.T) {
	trace := Trace{
		Submit: []int64{0, 10, 20, 30}, Run: []int64{60, 50, 30, 40},
		Walltime: []int64{100, 50, 30, 40}, Procs: []int32{5, 5, 3, 3},
	}
	result, err := Simulate(Config{Procs: 8}, trace)
	if err != nil || result.Start[1] != 60 || result.Promise[1] != 100 {
		t.Fatal(result, err)
	}
	trace.Procs = []int32{9, 1, 1, 1}
	if _, err = Simulate(Config{Procs: 8}, trace); !errors.Is(err, ErrRange) {
		t.Error(err)
	}
	trace.Procs = trace.Procs[:1]
	if _, err = Simulate(Config{Procs: 8}, trace); err == nil {
		t.Error("columns of different lengths")
	}
	if _, err = Simulate(Config{Procs: 8}, Trace{}); err == nil {
		t.Error("no jobs")
	}
}

func TestGoroutines(t *testing.T) {
	s, err := New(Config{Procs: 100, Jobs: 100})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := s.Submit(0, Job{Number: uint64(i), Procs: 1, Walltime: 9}); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	if jobs, err := s.Jobs("queued"); err != nil || len(jobs) != 100 {
		t.Error(len(jobs), err)
	}
	if started, err := s.Step(0); err != nil || len(started) != 100 {
		t.Error(len(started), err)
	}
	if jobs, err := s.Jobs("queued"); err != nil || len(jobs) != 0 {
		t.Error(len(jobs), err)
	}
	if _, err = s.Jobs("asleep"); err == nil || err.Error() != "there is no state 'asleep'" {
		t.Error(err)
	}
	// Close waits for the call that runs.
	for i := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for err := error(nil); err == nil; {
				if err = s.Cancel(0, uint64(i)); err == nil {
					err = s.Submit(0, Job{Number: uint64(i), Procs: 1, Walltime: 9})
				}
				if err == nil {
					_, err = s.Step(0)
				}
				if err == nil {
					_, err = s.Save()
				}
				if err != nil && err.Error() != "the scheduler is closed" {
					t.Error(err)
				}
			}
		}()
	}
	time.Sleep(50 * time.Millisecond)
	if broken := s.Check(); broken != 0 {
		t.Error("invariant", broken)
	}
	s.Close()
	group.Wait()
}
