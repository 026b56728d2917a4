package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkOptimal200x8 solves m = 1..8 for 200 feeds on 288 slots.
func BenchmarkOptimal200x8(b *testing.B) {
	reader := bumps(3, 8, 20)
	src := someSources(200)
	for b.Loop() {
		for i := range src {
			c := Miss(src[i].Posts.Rate[:], reader.Rate[:])
			s := newSolver(c, Limits{})
			for m := 1; m <= 8; m++ {
				s.optimal(m)
			}
		}
	}
}

func benchmarkPlan(b *testing.B, n int) {
	reader := bumps(3, 8, 20)
	src := someSources(n)
	for i := range src {
		src[i].Window = 20
	}
	for b.Loop() {
		Plan(reader, src, DailyBudget(n, DefaultPerSource), Options{}, noon)
	}
}

func BenchmarkPlan1(b *testing.B)    { benchmarkPlan(b, 1) }
func BenchmarkPlan200(b *testing.B)  { benchmarkPlan(b, 200) }
func BenchmarkPlan1000(b *testing.B) { benchmarkPlan(b, 1000) }

func BenchmarkOptimal1440(b *testing.B) {
	const n = 1440
	l, u := make([]float64, n), make([]float64, n)
	reader, posts := bumps(3, 8, 20), bumps(9, 7, 13)
	for k := range n {
		l[k], u[k] = posts.Rate[k/5]/5, reader.Rate[k/5]/5
	}
	c := Miss(l, u)
	for b.Loop() {
		c.Optimal(5, Limits{})
	}
}

// BenchmarkLearnPosts learns from a busy source's four weeks, and from a quiet one's.
func BenchmarkLearnPosts(b *testing.B) {
	for _, perDay := range []int64{1, 60} {
		b.Run(fmt.Sprintf("%d-a-day", perDay), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			var posts []int64
			for range 28 * perDay {
				posts = append(posts, noon.Unix()-r.Int64N(28*day))
			}
			slices.Sort(posts)
			for b.Loop() {
				LearnPosts(posts, noon.Unix()-28*day, noon.Unix())
			}
		})
	}
}
