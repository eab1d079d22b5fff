// SPDX-License-Identifier: MIT OR Unlicense

// host.c in Go. Times are milliseconds.
package main

import (
	"fmt"
	"math"

	"fairsched"
)

const (
	hour   = 3600000
	change = 3650000
	never  = math.MaxInt64
)

type job struct {
	submit, walltime, run int64
	procs                 int
	end                   int64
}

type host struct {
	crash  bool // after each call: go on from a checkpoint
	steps  int
	config fairsched.Config
	s      *fairsched.Scheduler
	job    []job // by number, from 1 on
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func newHost(crash bool) *host {
	h := &host{crash: crash, job: make([]job, 1008)}
	h.job[1] = job{0, 1000, 600, 1000, never}
	h.job[2] = job{0, 5000, 5000, 500, never}
	h.job[3] = job{0, 5000, 4000, 500, never}
	h.job[4] = job{0, 7000, 7000, 1000, never}
	h.job[5] = job{3640000, 40000, 20000, 1000, never}
	h.job[6] = job{3640000, 5000, 5000, 10, never}
	for i := 7; i < 1007; i++ {
		h.job[i] = job{3700000, 60000, 30000, 1, never}
	}
	h.job[1007] = job{3700000, 1000, 1000, 1000, never}
	h.open("conservative")
	return h
}

func (h *host) open(policy string) {
	h.config = fairsched.Config{Policy: policy, Procs: 1000, Jobs: 2}
	h.s = must(fairsched.New(h.config))
}

func (h *host) done(err error) {
	if err != nil {
		panic(err)
	}
	if h.crash {
		saved := must(h.s.Save())
		h.s.Close()
		h.s = must(fairsched.Load(h.config, saved))
	}
}

func (h *host) submit(now int64, i int, walltime int64) {
	j := &h.job[i]
	h.done(h.s.Submit(now, fairsched.Job{Number: uint64(i), Submit: &j.submit,
		Procs: j.procs, Walltime: walltime}))
}

func (h *host) step(now int64) (started int) {
	for again := true; again; again = h.s.NextStart() == now {
		h.steps++
		starts := must(h.s.Step(now))
		h.done(nil)
		for _, start := range starts {
			if start.Number == 2 && now < hour {
				h.done(h.s.RefuseUntil(now, 2, fairsched.Forever))
				continue
			}
			j := &h.job[start.Number]
			j.end = now + j.run
			started++
		}
	}
	return started
}

// Jobs that run keep the rest of their walltimes, and start at once; then come those
// that wait.
func (h *host) change(now int64) {
	if !h.crash {
		fmt.Printf("change %016x\n", h.s.Digest())
	}
	h.open("easy")
	for i := range h.job {
		j := &h.job[i]
		if j.end > now && j.end < never {
			h.submit(now, i, j.end-j.run+j.walltime-now)
			j.run = j.end - now
		}
	}
	h.step(now)
	for i, j := range h.job {
		if j.end == never && j.submit < now {
			h.submit(now, i, j.walltime)
		}
	}
}

func (h *host) instant(now int64) int {
	var ended []uint64
	for i, j := range h.job {
		if i > 0 && j.end == now {
			ended = append(ended, uint64(i))
		}
	}
	if len(ended) > 0 {
		h.done(h.s.FinishMany(now, ended))
	}
	if now == hour {
		h.done(h.s.Retry(now, 2))
	}
	if now == change {
		h.change(now)
	}
	for i, j := range h.job {
		if i > 0 && j.submit == now {
			h.submit(now, i, j.walltime)
		}
	}
	return h.step(now)
}

func (h *host) play() uint64 {
	for now, next := int64(0), int64(0); now != never; now = next {
		started := h.instant(now)
		if !h.crash {
			fmt.Printf("%7d %d start\n", now, started)
		}
		next = h.s.NextStart()
		for _, t := range []int64{hour, change} {
			if t > now {
				next = min(next, t)
			}
		}
		for _, j := range h.job {
			for _, t := range []int64{j.submit, j.end} {
				if t > now {
					next = min(next, t)
				}
			}
		}
	}
	return h.s.Digest()
}

func main() {
	h := newHost(false)
	digest := h.play()
	fmt.Printf("steps %d\ndigest %016x\n", h.steps, digest)
	same := 0
	if newHost(true).play() == digest {
		same = 1
	}
	fmt.Println("crashes change nothing:", same)
}
