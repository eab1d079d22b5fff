// SPDX-License-Identifier: MIT OR Unlicense
package fairsched

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"
)

// The conformance suite: FAIRSCHED_SUITE, or that of the tree.
type suite struct {
	Errors    map[string]string
	Sequences []struct {
		Name   string
		Config struct {
			Policy, Order                            string
			Depth, Procs, Jobs, Ineligible, Advances int
			Origin, Weight, Window                   int64
			Patience                                 *int64
			HalfLife                                 int64 `json:"half_life"`
			Users                                    int
			Target                                   []int64
			Share                                    []uint32
			Machine                                  *Machine
		}
		Events [][]json.RawMessage
	}
}

type suiteJob struct {
	Number, User, Account, Advance uint64
	Submit                         int64
	Procs                          int
	Walltime                       int64
	Tasks                          uint32
	Amount                         []int32
	Classes                        []int
}

type suiteWait struct {
	Begin *int64
	After uint64
	End   int
	Held  bool
}

func (w *suiteWait) wait() *Wait {
	if w == nil {
		return nil
	}
	wait := &Wait{Begin: w.Begin, OK: w.End == 1, Held: w.Held}
	if w.End > 0 {
		wait.After = &w.After
	}
	return wait
}

func of[T any](event []json.RawMessage, i int) (value T) {
	if err := json.Unmarshal(event[i], &value); err != nil {
		panic(err)
	}
	return
}

// A time as JSON has it.
func orNull(time int64) any {
	if time == Forever {
		return nil
	}
	return time
}

type player struct {
	*Scheduler
	config Config
}

func (p *player) submit(now int64, e []json.RawMessage) error {
	j := of[suiteJob](e, 2)
	classes := make([]uint8, len(j.Classes))
	for i, class := range j.Classes {
		classes[i] = uint8(class)
	}
	return p.Submit(now, Job{
		Number: j.Number, Submit: &j.Submit, Procs: j.Procs,
		Walltime: j.Walltime, User: j.User, Account: j.Account,
		Tasks: j.Tasks, Advance: j.Advance, Amount: j.Amount,
		Classes: classes, Wait: of[*suiteWait](e, 3).wait(),
	})
}

func (p *player) reserve(now int64, e []json.RawMessage) error {
	a := of[struct {
		Number      uint64
		From, To    int64
		Procs, Kind int
		Class       uint32
	}](e, 2)
	return p.Reserve(now, Advance{a.Number, a.From, a.To, a.Procs,
		a.Kind == 1, a.Class, of[bool](e, 3)})
}

func (p *player) reload() error {
	checkpoint, err := p.Save()
	if err == nil {
		p.Close()
		p.Scheduler, err = Load(p.config, checkpoint)
	}
	return err
}

func (p *player) answer(name string, e []json.RawMessage) (any, error) {
	var now int64
	var number uint64
	if len(e) > 2 {
		now = of[int64](e, 1)
	}
	if len(e) > 3 && name != "submit" && name != "reserve" && name != "capacity" &&
		name != "finish_many" {
		number = of[uint64](e, 2)
	}
	switch name {
	case "submit":
		return 0, p.submit(now, e)
	case "finish":
		return 0, p.Finish(now, number, 0)
	case "cancel":
		return 0, p.Cancel(now, number)
	case "requeue":
		return 0, p.Requeue(now, number)
	case "suspend":
		return 0, p.Suspend(now, number)
	case "resume":
		return 0, p.Resume(now, number)
	case "finish_many":
		return 0, p.FinishMany(now, of[[]uint64](e, 2))
	case "refuse_until":
		until := of[*int64](e, 3)
		if until == nil {
			return 0, p.RefuseUntil(now, number, Forever)
		}
		return 0, p.RefuseUntil(now, number, *until)
	case "retry":
		return 0, p.Retry(now, number)
	case "refuse":
		return 0, p.Refuse(now, number)
	case "withdraw":
		return 0, p.Withdraw(now, number)
	case "defer":
		return 0, p.Defer(now, number, of[*suiteWait](e, 3).wait())
	case "modify":
		return 0, p.Modify(now, number, of[int](e, 3), of[int64](e, 4))
	case "capacity":
		return 0, p.Capacity(now, of[int](e, 2), of[[]uint64](e, 3)...)
	case "reserve":
		return 0, p.reserve(now, e)
	case "step":
		decisions, err := p.Step(now)
		numbers := make([]uint64, len(decisions))
		for i, decision := range decisions {
			numbers[i] = decision.Number
		}
		return numbers, err
	case "next":
		return []any{orNull(p.Next()), orNull(p.NextStart())}, nil
	case "status":
		s, err := p.Status(uint64(now))
		return map[string]any{"state": s.State, "start": orNull(s.Start),
			"cause": s.Cause, "moves": s.Moves, "class": s.NodeClass}, err
	case "estimate":
		start, err := p.Estimate(uint64(now))
		return []any{orNull(start)}, err
	case "why":
		why, err := p.Why(uint64(now))
		return why, err
	case "usage":
		usage, err := p.UserUsage(uint64(now))
		return []int64{usage}, err
	case "count":
		queued, running, ineligible := p.Count()
		return []int{queued, running, ineligible}, nil
	case "digest":
		return fmt.Sprintf("%016x", p.Digest()), nil
	case "reload":
		return 0, p.reload()
	}
	panic("there is no event " + name)
}

func TestConformance(t *testing.T) {
	path := os.Getenv("FAIRSCHED_SUITE")
	if path == "" {
		path = "../../tests/conformance/suite.json"
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s suite
	if err = json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Sequences) != 500 {
		t.Fatal(len(s.Sequences), "sequences")
	}
	for _, sequence := range s.Sequences {
		c := sequence.Config
		config := Config{Policy: c.Policy, Order: c.Order, Depth: c.Depth,
			Procs: c.Procs, Origin: c.Origin, Jobs: c.Jobs,
			Ineligible: c.Ineligible, Advances: c.Advances, Users: c.Users,
			Weight: c.Weight, HalfLife: c.HalfLife, Window: c.Window,
			Target: c.Target, Share: c.Share, Machine: c.Machine}
		if c.Patience != nil {
			config.Patience = *c.Patience
			if config.Patience == 0 {
				config.Patience = NoPatience
			}
		}
		scheduler, err := New(config)
		if err != nil {
			t.Fatal(sequence.Name, err)
		}
		p := &player{scheduler, config}
		for i, event := range sequence.Events {
			name := of[string](event, 0)
			got, err := p.answer(name, event)
			var problem *Error
			if errors.As(err, &problem) {
				got = problem.Code
				if s.Errors[strconv.Itoa(problem.Code)] != problem.Text {
					got = []any{problem.Code, problem.Text}
				}
			}
			text, _ := json.Marshal(got)
			want := of[any](event, len(event)-1)
			if !reflect.DeepEqual(of[any]([]json.RawMessage{text}, 0), want) {
				t.Fatal(sequence.Name, i, name, string(text), want)
			}
		}
		if p.Check() != 0 {
			t.Fatal(sequence.Name, "broken invariant")
		}
		p.Close()
	}
}

func TestFinishMany(t *testing.T) {
	for _, together := range []bool{false, true} {
		s, err := New(Config{Procs: 10, Jobs: 4})
		if err != nil {
			t.Fatal(err)
		}
		submit := func(number uint64, procs int, walltime int64) error {
			return s.Submit(0, Job{Number: number, Procs: procs, Walltime: walltime})
		}
		err = errors.Join(submit(1, 5, 100), submit(2, 5, 100))
		_, problem := s.Step(0)
		err = errors.Join(err, problem, submit(4, 10, 20), submit(5, 5, 40))
		want := uint64(5)
		if together {
			want = 4
			if s.FinishMany(50, []uint64{1, 2}, 0) == nil {
				t.Error("a status is missing")
			}
			err = errors.Join(err, s.FinishMany(50, []uint64{1, 2}, 0, 9))
		} else {
			err = errors.Join(err, s.Finish(50, 1, 0), s.Finish(50, 2, 9))
		}
		decisions, problem := s.Step(50)
		if err = errors.Join(err, problem); err != nil || len(decisions) == 0 ||
			decisions[0].Number != want {
			t.Error(together, decisions, err)
		}
		s.Close()
	}
}

func TestGrows(t *testing.T) {
	small, err := New(Config{Procs: 100, Jobs: 1})
	large, problem := New(Config{Procs: 100, Jobs: 64})
	if err = errors.Join(err, problem); err != nil {
		t.Fatal(err)
	}
	for number := range int64(50) {
		for _, s := range []*Scheduler{small, large} {
			err := s.Submit(number, Job{Number: uint64(number),
				Procs: 1 + int(number)%5, Walltime: 60})
			_, problem := s.Step(number)
			if err = errors.Join(err, problem); err != nil {
				t.Fatal(number, err)
			}
		}
	}
	saved, err := small.Save()
	if err != nil || small.Digest() != large.Digest() {
		t.Error("another digest", err)
	}
	again, err := Load(Config{Procs: 100, Jobs: 1}, saved)
	if err != nil || again.Digest() != large.Digest() {
		t.Error("after a load", err)
	}
	err = small.Submit(50, Job{Number: 50, Procs: 1})
	if !errors.Is(err, ErrInvalid) || err.Error() != "walltime is below 1" {
		t.Error(err)
	}
}
