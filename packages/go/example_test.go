// SPDX-License-Identifier: MIT OR Unlicense
package fairsched_test

import (
	"fmt"
	"log"

	"fairsched"
)

func Example() {
	s, err := fairsched.New(fairsched.Config{Policy: "conservative", Procs: 8})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for _, job := range []fairsched.Job{
		{Number: 1, Procs: 5, Walltime: 100},
		{Number: 2, Procs: 8, Walltime: 10},
	} {
		if err := s.Submit(0, job); err != nil {
			log.Fatal(err)
		}
	}
	decisions, err := s.Step(0)
	if err != nil {
		log.Fatal(err)
	}
	for _, decision := range decisions {
		fmt.Println("start job", decision.Number)
	}
	status, _ := s.Status(2)
	fmt.Println("job 2 is promised second", status.Start)
	// Output:
	// start job 1
	// job 2 is promised second 100
}

func ExampleScheduler_StepIf() {
	s, err := fairsched.New(fairsched.Config{Procs: 8})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for number := uint64(1); number < 3; number++ {
		job := fairsched.Job{Number: number, Procs: 8, Walltime: 10}
		if err := s.Submit(0, job); err != nil {
			log.Fatal(err)
		}
	}
	starts, err := s.StepIf(0, func(start fairsched.Decision) int64 {
		if start.Number == 1 {
			return 50 // no place before
		}
		return 0
	})
	status, _ := s.Status(1)
	fmt.Println("start job", starts[0].Number, err)
	fmt.Println("job 1 is promised second", status.Start)
	// Output:
	// start job 2 <nil>
	// job 1 is promised second 50
}
