// SPDX-License-Identifier: MIT OR Unlicense

// Package fairsched decides which parallel job starts when, and fairly.
//
// It is the C library fairsched: compiled by cgo, or, with CGO_ENABLED=0 or the
// build tag fairsched_wasm, as WebAssembly that wazero runs. Both decide the
// same. Times are seconds; an error changes nothing. Report ends of one second
// together, by FinishMany, or in the order of their starts. A start that you
// cannot make is refused after Step, until a time: RefuseUntil.
package fairsched

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
)

// Forever is the time that never comes.
const Forever int64 = math.MaxInt64

// Error is what the library, or this package, does not accept. Errors with the
// same code are equal for errors.Is.
type Error struct {
	Code int // the number of the library
	Text string
}

func (e *Error) Error() string { return e.Text }

// Is tells whether both have the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// The errors, for errors.Is.
var (
	ErrNotFound = &Error{2, "not found"}
	ErrMemory   = &Error{12, "there is not enough memory"}
	ErrInvalid  = &Error{22, "not valid"}
	ErrNoRoom   = &Error{28, "no room"}
	ErrRange    = &Error{34, "more than there is"}
	ErrPast     = &Error{62, "before the present"}
	ErrTooLarge = &Error{75, "too large"}
)

func invalid(format string, a ...any) error {
	return &Error{ErrInvalid.Code, fmt.Sprintf(format, a...)}
}

// The error of what the library returned; nil: none.
func (l *library) check(code int64) error {
	if code >= 0 {
		return nil
	}
	return &Error{int(-code), l.text(l.call(callError, code))}
}

// Machine has several resources and node classes.
type Machine struct {
	Resources int     // the first is processors
	Classes   int     // of nodes
	Wide      uint32  // the bits are resources of the whole machine
	Amount    []int32 // of each class, the amount of each resource
}

// NoPatience is a Config.Patience: a refused job loses its turn at once.
const NoPatience = -1

// Config is a configuration: struct fair_config. Zero is the default.
type Config struct {
	Policy     string // fcfs, easy, backfill, conservative (""), pc, dc, sfs, relshare
	Order      string // fcfs (""), sjf, ljf, widest, narrowest, lxf, two-term, usage, dominant
	Depth      int
	Procs      int
	Origin     int64
	Jobs       int // most live jobs at once, at first: a full table grows; 0: 1000
	Ineligible int
	Advances   int
	Users      int
	Weight     int64
	HalfLife   int64
	Window     int64
	Patience   int64 // seconds that a refused job keeps its turn; 0: 60; or NoPatience
	IDs        int
	Target     []int64  // sfs: the target of each account
	Share      []uint32 // relshare: the share of each user
	Machine    *Machine
}

func (l *library) byName(function int, name, what string) (int64, error) {
	address, err := l.put(append([]byte(name), 0))
	if err != nil {
		return 0, err
	}
	number := l.call(function, address)
	if number < 0 || strings.Contains(name, "\x00") {
		return 0, invalid("there is no %s '%s'", what, name)
	}
	return number, nil
}

// The words of flat.h: their address, how many, and the scratch memory. There is
// room for what was saved.
func (l *library) config(c *Config, saved int64) (address, words, scratch int64, err error) {
	policy, order, depth, jobs := c.Policy, c.Order, c.Depth, c.Jobs
	machine := c.Machine
	if policy == "" {
		policy = "conservative"
	}
	if policy == "easy" {
		policy, depth = "backfill", max(depth, 1)
	}
	if order == "" {
		order = "fcfs"
	}
	if jobs == 0 {
		jobs = 1000
	}
	if saved > 0 {
		jobs = max(jobs, int(saved))
	}
	if machine == nil {
		machine = &Machine{}
	}
	p, err := l.byName(callPolicy, policy, "policy")
	if err != nil {
		return
	}
	o, err := l.byName(callOrder, order, "order")
	if err != nil {
		return
	}
	word := []int64{
		p, o, int64(depth), int64(c.Procs), c.Origin, int64(jobs),
		int64(c.Ineligible), int64(c.Advances), int64(len(c.Target)),
		int64(max(c.Users, len(c.Share))), c.Weight, c.HalfLife, c.Window, c.Patience,
		int64(c.IDs), int64(len(c.Target)), int64(len(c.Share)),
		int64(machine.Resources), int64(machine.Classes), int64(machine.Wide),
	}
	word = append(word, c.Target...)
	for _, share := range c.Share {
		word = append(word, int64(share))
	}
	for _, amount := range machine.Amount {
		word = append(word, int64(amount))
	}
	words = int64(len(word))
	if address, err = l.putWords(word); err != nil {
		return
	}
	if scratch, err = l.alloc(l.call(callConfigSize)); err != nil {
		return
	}
	if text := l.call(callConfigError, scratch, address, words); text != 0 {
		err = invalid("%s", l.text(text))
	}
	return
}

// Wait is what an ineligible job waits for.
type Wait struct {
	Begin *int64  // its begin time; nil: none
	After *uint64 // the end of this job; nil: of none
	OK    bool    // the end must be a success
	Held  bool    // the caller holds it
}

func (w *Wait) words() []int64 {
	word := []int64{math.MinInt64, 0, 0, 0}
	if w == nil {
		return word
	}
	if w.Begin != nil {
		word[0] = *w.Begin
	}
	if w.After != nil {
		word[1], word[2] = int64(*w.After), 2-bit(w.OK)
	}
	word[3] = bit(w.Held)
	return word
}

func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// Job is struct fair_job.
type Job struct {
	Number   uint64
	Submit   *int64 // when it was submitted; nil: now
	Procs    int
	Walltime int64
	User     uint64
	Group    uint64
	Account  uint64
	Queue    uint64
	QoS      uint64
	Tasks    uint32
	Advance  uint64
	Amount   []int32 // of each resource; the first is not read
	Classes  []uint8 // that may serve it, in order of preference
	Wait     *Wait
}

func (j *Job) words(now int64) []int64 {
	submit := now
	if j.Submit != nil {
		submit = *j.Submit
	}
	word := []int64{
		int64(j.Number), submit, int64(j.Procs), j.Walltime, int64(j.User),
		int64(j.Group), int64(j.Account), int64(j.Queue), int64(j.QoS),
		int64(j.Tasks), int64(j.Advance), bit(j.Wait != nil),
	}
	word = append(word, j.Wait.words()...)
	word = append(word, int64(len(j.Amount)), int64(len(j.Classes)))
	for _, amount := range j.Amount {
		word = append(word, int64(amount))
	}
	for _, class := range j.Classes {
		word = append(word, int64(class))
	}
	return word
}

// Advance is an advance reservation: processors over [From, To).
type Advance struct {
	Number    uint64
	From, To  int64
	Procs     int
	ForJobs   bool // for jobs that are bound to it; else for maintenance
	NodeClass uint32
	Force     bool // even if it breaks promises
}

// Decision says: start this job now.
type Decision struct {
	Number    uint64
	NodeClass uint32
}

// Status is a live job.
type Status struct {
	State        string // queued, running, ineligible
	Start        int64  // when it started, or its promise or reservation; or Forever
	End          int64  // of a running job; or Forever
	FirstPromise int64  // or Forever
	Cause        string // why its promise was delayed last
	Moves        uint32
	NodeClass    uint32
	Procs        int
	Walltime     int64
	User         uint64
}

// Scheduler takes events and makes decisions. Goroutines may share it: one call
// runs at a time, and the others wait. It calls no function of yours.
type Scheduler struct {
	mutex   sync.Mutex
	library *library
	flat    int64
	mark    int64 // of what stays
}

// New begins with an idle machine.
func New(c Config) (*Scheduler, error) { return openScheduler(&c, nil) }

// Load goes on from what Save returned, with room for as many jobs.
func Load(c Config, checkpoint []byte) (*Scheduler, error) {
	if len(checkpoint) == 0 {
		return nil, invalid("the checkpoint is empty")
	}
	return openScheduler(&c, checkpoint)
}

func openScheduler(c *Config, checkpoint []byte) (*Scheduler, error) {
	l, err := openLibrary()
	if err != nil {
		return nil, err
	}
	flat, err := l.open(c, checkpoint)
	if err != nil {
		l.close()
		return nil, err
	}
	s := &Scheduler{library: l, flat: flat, mark: l.mark()}
	runtime.AddCleanup(s, (*library).close, l)
	return s, nil
}

func (l *library) open(c *Config, checkpoint []byte) (int64, error) {
	mark, length, saved := l.mark(), int64(len(checkpoint)), int64(0)
	if checkpoint != nil {
		from, err := l.put(checkpoint)
		if err != nil {
			return 0, err
		}
		saved = l.call(callSavedJobs, from, length)
		l.release(mark)
	}
	address, words, scratch, err := l.config(c, saved)
	if err != nil {
		return 0, err
	}
	size := l.call(callSize, scratch, address, words)
	flat, err := l.alloc(size)
	if err != nil {
		return 0, err
	}
	mark = l.mark()
	defer l.release(mark)
	from := int64(0)
	if checkpoint != nil {
		if from, err = l.put(checkpoint); err != nil {
			return 0, err
		}
	}
	code := l.call(callOpen, flat, size, address, words, from, length)
	if int(-code) == ErrInvalid.Code {
		if why := l.text(l.call(callDamage, flat)); why != "" {
			return 0, invalid("%s", why)
		}
	}
	return flat, l.check(code)
}

// Close returns its memory, which else the garbage collector does. It waits for
// the call that runs; later calls are errors.
func (s *Scheduler) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.library != nil {
		s.library.close()
		s.library = nil
	}
}

// Calls the library; what it allocates is free again afterwards.
func (s *Scheduler) do(f func(l *library) error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.library == nil {
		return invalid("the scheduler is closed")
	}
	defer func() { s.library.release(s.mark) }()
	return f(s.library)
}

// An event whose last arguments are words, if there are any.
func (s *Scheduler) event(function int, now int64, words []int64, a ...int64) error {
	return s.do(func(l *library) error {
		address, err := l.putWords(words)
		if err != nil {
			return err
		}
		a := append(append([]int64{s.flat, now}, a...), address, int64(len(words)))
		return l.check(l.call(function, a...))
	})
}

func (s *Scheduler) change(event, now int64, number uint64, a, b int64) error {
	return s.do(func(l *library) error {
		return l.check(l.call(callChange, s.flat, event, now, int64(number), a, b))
	})
}

// Submit says that a job arrives.
func (s *Scheduler) Submit(now int64, job Job) error {
	words := job.words(now)
	return s.do(func(l *library) error {
		address, err := l.putWords(words)
		if err != nil {
			return err
		}
		n := int64(len(words))
		code := l.call(callSubmit, s.flat, now, address, n)
		if int(-code) == ErrNoRoom.Code {
			if code, err = s.grow(now, address, n); err != nil {
				return err
			}
		}
		if field := l.call(callRefused, s.flat); code < 0 && field != 0 {
			return &Error{int(-code), l.text(field)}
		}
		return l.check(code)
	})
}

// Submits to a copy with room for twice the jobs, which stays if it takes the job.
// The former memory stays, too: all of it together is less than the new one.
func (s *Scheduler) grow(now, address, words int64) (int64, error) {
	l := s.library
	size := l.call(callGrowSize, s.flat)
	if size == 0 {
		return -int64(ErrNoRoom.Code), nil
	}
	to, err := l.alloc(size)
	if err != nil {
		return 0, err
	}
	code := l.call(callGrow, s.flat, to, size)
	if code == 0 {
		code = l.call(callSubmit, to, now, address, words)
	}
	if code == 0 {
		s.flat, s.mark = to, l.mark()
	}
	return code, nil
}

// Finish says that a running job has ended, with an exit status.
func (s *Scheduler) Finish(now int64, number uint64, status int) error {
	return s.change(0, now, number, int64(status), 0)
}

// FinishMany says that running jobs have ended in the same second, as one event,
// each with an exit status; no statuses: all have 0.
func (s *Scheduler) FinishMany(now int64, numbers []uint64, statuses ...int32) error {
	if len(statuses) > 0 && len(statuses) != len(numbers) {
		return invalid("there are %d statuses, not %d", len(statuses), len(numbers))
	}
	words := make([]int64, len(numbers))
	for i, number := range numbers {
		words[i] = int64(number)
	}
	return s.do(func(l *library) error {
		address, err := l.putWords(words)
		if err != nil {
			return err
		}
		status := int64(0)
		if len(statuses) > 0 {
			if status, err = l.putInts(statuses); err != nil {
				return err
			}
		}
		return l.check(l.call(callFinishMany, s.flat, now, address, status,
			int64(len(words))))
	})
}

// Cancel withdraws a job; a running one ends.
func (s *Scheduler) Cancel(now int64, number uint64) error {
	return s.change(1, now, number, 0, 0)
}

// Requeue says that a running job was stopped, and is queued again.
func (s *Scheduler) Requeue(now int64, number uint64) error {
	return s.change(2, now, number, 0, 0)
}

// Suspend says that a running job is stopped, and goes on later.
func (s *Scheduler) Suspend(now int64, number uint64) error {
	return s.change(3, now, number, 0, 0)
}

// Resume lets a suspended job arrive again.
func (s *Scheduler) Resume(now int64, number uint64) error {
	return s.change(4, now, number, 0, 0)
}

// Refuse says that a start of this instant cannot be made; the job starts at a
// later second.
func (s *Scheduler) Refuse(now int64, number uint64) error {
	return s.RefuseUntil(now, number, now)
}

// RefuseUntil says that a start of this instant cannot be made before a time;
// Forever: before Retry.
func (s *Scheduler) RefuseUntil(now int64, number uint64, until int64) error {
	return s.change(5, now, number, 0, until)
}

// Retry lets a refused job start at any time again.
func (s *Scheduler) Retry(now int64, number uint64) error {
	return s.change(6, now, number, 0, 0)
}

// Modify changes a job's processors and walltime.
func (s *Scheduler) Modify(now int64, number uint64, procs int, walltime int64) error {
	return s.change(7, now, number, int64(procs), walltime)
}

// Withdraw withdraws an advance reservation.
func (s *Scheduler) Withdraw(now int64, number uint64) error {
	return s.change(8, now, number, 0, 0)
}

// Replan reacts as if a job had ended early, in the order of now.
func (s *Scheduler) Replan(now int64) error {
	return s.change(9, now, 0, 0, 0)
}

// Defer changes what a job waits for; nil: nothing.
func (s *Scheduler) Defer(now int64, number uint64, wait *Wait) error {
	if wait == nil {
		return s.do(func(l *library) error {
			return l.check(l.call(callDefer, s.flat, now, int64(number), 0))
		})
	}
	return s.event(callDefer, now, wait.words(), int64(number))
}

// Capacity says that the machine gains or loses processors; victims end.
func (s *Scheduler) Capacity(now int64, delta int, victims ...uint64) error {
	words := make([]int64, len(victims))
	for i, victim := range victims {
		words[i] = int64(victim)
	}
	return s.event(callCapacity, now, words, int64(delta))
}

// Reserve makes or changes an advance reservation.
func (s *Scheduler) Reserve(now int64, a Advance) error {
	return s.event(callReserve, now, []int64{
		int64(a.Number), a.From, a.To, int64(a.Procs), bit(a.ForJobs),
		int64(a.NodeClass), bit(a.Force),
	})
}

// AddUser says that a user joins: Config.IDs.
func (s *Scheduler) AddUser(now int64, user uint64) error {
	return s.do(func(l *library) error {
		return l.check(l.call(callAddEntity, s.flat, now, 0, int64(user)))
	})
}

// Step decides which jobs start now.
func (s *Scheduler) Step(now int64) (decisions []Decision, err error) {
	const room = 64
	err = s.do(func(l *library) error {
		address, err := l.alloc(16 * room)
		for n := int64(room); err == nil && n == room; {
			n = l.call(callStep, s.flat, now, address, room)
			err = l.check(n)
			for i, word := 0, l.words(address, 2*max(n, 0)); i < len(word); i += 2 {
				decisions = append(decisions,
					Decision{uint64(word[i]), uint32(word[i+1])})
			}
		}
		return err
	})
	return
}

// StepIf is Step, but from when on can each start be made? A later time than now
// refuses it until then, Forever until Retry.
func (s *Scheduler) StepIf(now int64, fits func(Decision) int64) (made []Decision, err error) {
	for {
		starts, err := s.Step(now)
		refused := false
		for _, start := range starts {
			if from := fits(start); from > now {
				refused = true
				if err := s.RefuseUntil(now, start.Number, from); err != nil {
					return made, err
				}
			} else {
				made = append(made, start)
			}
		}
		if err != nil || !refused || s.NextStart() != now {
			return made, err
		}
	}
}

// A query that cannot fail; 0 if the scheduler is closed.
func (s *Scheduler) ask(function int, a ...int64) (answer int64) {
	_ = s.do(func(l *library) error {
		answer = l.call(function, append([]int64{s.flat}, a...)...)
		return nil
	})
	return
}

// Next is when to call Step if no event happens before; or Forever.
func (s *Scheduler) Next() int64 { return s.ask(callNext) }

// NextStart is Next for a caller that ends each job at its planned end at the
// latest, and reports it; or Forever.
func (s *Scheduler) NextStart() int64 { return s.ask(callNextStart) }

// Count is how many jobs are queued, running and ineligible.
func (s *Scheduler) Count() (queued, running, ineligible int) {
	_ = s.do(func(l *library) error {
		for state, count := range []*int{&queued, &running, &ineligible} {
			*count = int(l.call(callCount, s.flat, int64(state)))
		}
		return nil
	})
	return
}

// Jobs are the numbers of the jobs that are queued, running or ineligible; queued
// ones in the order of their reservations or priorities.
func (s *Scheduler) Jobs(state string) (numbers []uint64, err error) {
	err = s.do(func(l *library) error {
		of, err := l.byName(callStateNumber, state, "state")
		if err != nil {
			return err
		}
		at, err := l.putWords([]int64{0, 0})
		for err == nil && l.call(callEach, s.flat, of, at, at+8) > 0 {
			numbers = append(numbers, uint64(l.words(at, 2)[1]))
		}
		return err
	})
	return
}

// Digest is a hash over all decisions so far.
func (s *Scheduler) Digest() uint64 { return uint64(s.ask(callDigest)) }

// Check is the first broken invariant, a fault of the library; 0: none.
func (s *Scheduler) Check() int { return int(s.ask(callCheck)) }

// Status tells about a live job.
func (s *Scheduler) Status(number uint64) (status Status, err error) {
	err = s.do(func(l *library) error {
		out, err := l.alloc(8 * 11)
		if err != nil {
			return err
		}
		if err = l.check(l.call(callStatus, s.flat, int64(number), out)); err != nil {
			return err
		}
		w := l.words(out, 11)
		status = Status{
			State: l.text(l.call(callState, w[0])), Start: w[1], End: Forever,
			FirstPromise: w[3], Cause: l.text(l.call(callCause, w[4])),
			Moves: uint32(w[5]), NodeClass: uint32(w[7]), Procs: int(w[8]),
			Walltime: w[9], User: uint64(w[10]),
		}
		if status.State == "running" {
			status.End = w[2]
		}
		return nil
	})
	return
}

// Calls with scratch memory, and a place for the answer.
func (s *Scheduler) scratch(function int, number uint64, room int64,
	read func(l *library, address, answer int64)) error {
	return s.do(func(l *library) error {
		size := l.call(callScratchSize, s.flat)
		scratch, err := l.alloc(size)
		if err != nil {
			return err
		}
		to, err := l.alloc(room)
		if err != nil {
			return err
		}
		n := l.call(function, s.flat, int64(number), scratch, size, to, room)
		if err = l.check(n); err == nil {
			read(l, to, n)
		}
		return err
	})
}

// Estimate is when a waiting job starts if no other event happens; or Forever.
func (s *Scheduler) Estimate(number uint64) (start int64, err error) {
	err = s.scratch(callEstimate, number, 8, func(l *library, to, _ int64) {
		start = l.words(to, 1)[0]
	})
	return
}

// Why tells why a queued job did not start at the last step, in English.
func (s *Scheduler) Why(number uint64) (why string, err error) {
	length := int64(255)
	for room := int64(0); err == nil && length >= room; {
		room = length + 1
		err = s.scratch(callWhy, number, room, func(l *library, to, n int64) {
			length, why = n, l.text(to)
		})
	}
	return
}

// UserUsage is the whole processor-seconds that a user has used, decayed.
func (s *Scheduler) UserUsage(user uint64) (usage int64, err error) {
	err = s.do(func(l *library) error {
		to, err := l.alloc(8)
		if err != nil {
			return err
		}
		err = l.check(l.call(callUsage, s.flat, 0, int64(user), to))
		usage = l.words(to, 1)[0]
		return err
	})
	return
}

// Save returns the state as bytes that any machine can load.
func (s *Scheduler) Save() (checkpoint []byte, err error) {
	err = s.do(func(l *library) error {
		size := l.call(callSaveSize, s.flat)
		to, err := l.alloc(size)
		if err != nil {
			return err
		}
		if err = l.check(l.call(callSave, s.flat, to, size)); err == nil {
			checkpoint = append([]byte(nil), l.bytes(to, size)...)
		}
		return err
	})
	return
}

// Trace has the jobs in order of submission, a column for each field.
type Trace struct {
	Submit, Run, Walltime []int64
	Procs                 []int32
	User                  []int64 // nil: they have no users
}

// Simulated is what Simulate found.
type Simulated struct {
	Start   []int64
	Promise []int64 // the first promise of each job; Forever: none
	Digest  uint64
}

// Simulate plays all jobs of a trace to their ends; c.Jobs is not read.
func Simulate(c Config, t Trace) (result Simulated, err error) {
	jobs := len(t.Submit)
	if len(t.Run) != jobs || len(t.Walltime) != jobs || len(t.Procs) != jobs ||
		(t.User != nil && len(t.User) != jobs) {
		return result, invalid("columns of different lengths")
	}
	l, err := openLibrary()
	if err != nil {
		return result, err
	}
	defer l.close()
	c.Jobs = min(max(jobs, 1), 1<<29)
	address, words, scratch, err := l.config(&c, 0)
	if err != nil {
		return result, err
	}
	a := []int64{scratch, address, words, 0, 0, 0, 0, 0, int64(jobs)}
	for i, column := range [][]int64{t.Submit, t.Run, t.Walltime, nil, t.User} {
		if len(column) > 0 {
			if a[3+i], err = l.putWords(column); err != nil {
				return result, err
			}
		}
	}
	if a[6], err = l.putInts(t.Procs); err != nil {
		return result, err
	}
	size := l.call(callReplaySize, a...)
	a = append(a, 0, size, 0, 0, 0)
	for i, bytes := range map[int]int64{
		9: size, 11: 8 * int64(jobs), 12: 8 * int64(jobs), 13: 8,
	} {
		if a[i], err = l.alloc(bytes); err != nil {
			return result, err
		}
	}
	if err = l.check(l.call(callReplay, a...)); err != nil {
		return result, err
	}
	return Simulated{
		l.words(a[11], int64(jobs)), l.words(a[12], int64(jobs)),
		uint64(l.words(a[13], 1)[0]),
	}, nil
}

// Version is that of the library.
func Version() (string, error) {
	l, err := openLibrary()
	if err != nil {
		return "", err
	}
	defer l.close()
	return l.text(l.call(callVersion)), nil
}

// The functions of flat.h.
const (
	callVersion = iota
	callError
	callPolicy
	callOrder
	callState
	callCause
	callConfigSize
	callConfigError
	callSize
	callOpen
	callSaveSize
	callSave
	callSubmit
	callDefer
	callChange
	callCapacity
	callReserve
	callStep
	callNext
	callCount
	callDigest
	callCheck
	callStatus
	callScratchSize
	callEstimate
	callWhy
	callUsage
	callAddEntity
	callReplaySize
	callReplay
	callStateNumber
	callEach
	callDamage
	callRefused
	callFinishMany
	callNextStart
	callGrowSize
	callGrow
	callSavedJobs
)
