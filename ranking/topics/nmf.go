package topics

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const (
	defaultTerms     = 4000
	defaultDocuments = 6000
	defaultRounds    = 40
	documentsATopic  = 60
	everywhere       = .3 // a term in more of the documents says nothing
	tiny             = 1e-9
	sameTopic        = .35 // cosine from which a refitted topic is the old one
	shownTerms       = 30
)

// fitted is what Assign needs: the terms and each topic's weights of them.
type fitted struct {
	terms  []string
	forms  []string // as most often written
	index  map[string]int32
	idf    []float64
	h      []float64 // topics × terms, each row of unit length
	gram   []float64 // inner products of the topics
	nextID uint64
}

// sparse is a matrix by rows.
type sparse struct {
	col [][]int32
	val [][]float64
}

// Fit factors the tf-idf matrix of the documents into topics (non-negative
// matrix factorisation by the multiplicative updates of Lee and Seung 2001). Nil if
// there are fewer than 2 documents per topic to learn from.
func Fit(docs []Document, o FitOptions) *Model {
	if o.Documents <= 0 {
		o.Documents = defaultDocuments
	}
	docs = docs[max(len(docs)-o.Documents, 0):]
	k := o.Topics
	if k <= 0 {
		k = min(max(len(docs)/documentsATopic, 20), 45)
	}
	k = min(max(k, 2), 100)
	if len(docs) < 2*k {
		return nil
	}
	m := &Model{}
	m.m.vocabulary(docs, cmp.Or(max(o.Terms, 0), defaultTerms))
	v := m.m.matrix(docs)
	if len(v.col) < 2*k {
		return nil
	}
	n := len(m.m.terms)
	r := rand.New(rand.NewPCG(o.Seed, 0x746f70696373))
	h := m.m.begin(v, k, o.Previous, r)
	w := make([]float64, len(v.col)*k)
	for i := range w {
		w[i] = .1 + .1*r.Float64()
	}
	for range cmp.Or(max(o.Rounds, 0), defaultRounds) {
		updateW(v, w, h, k, n)
		updateH(v, w, h, k, n)
	}
	m.m.h = h
	m.name(k, o.Previous)
	return m
}

// vocabulary chooses the terms: in at least three documents, in no more than a
// third of them, the most frequent first.
func (f *fitted) vocabulary(docs []Document, most int) {
	type use struct {
		docs, last int
		forms      map[string]int
	}
	uses := map[string]*use{}
	for i, d := range docs {
		for _, w := range d.Words {
			u := uses[w.Stem]
			if u == nil {
				u = &use{last: -1, forms: map[string]int{}}
				uses[w.Stem] = u
			}
			if u.last != i {
				u.docs, u.last = u.docs+1, i
			}
			u.forms[w.Form]++
		}
	}
	list := make([]string, 0, len(uses))
	for t, u := range uses {
		if u.docs >= min(3, len(docs)/10+1) && float64(u.docs) <= everywhere*float64(len(docs))+1 {
			list = append(list, t)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if a, b := uses[list[i]].docs, uses[list[j]].docs; a != b {
			return a > b
		}
		return list[i] < list[j]
	})
	list = list[:min(len(list), most)]
	f.terms, f.index = list, make(map[string]int32, len(list))
	for i, t := range list {
		f.index[t] = int32(i)
		f.idf = append(f.idf, math.Log(float64(1+len(docs))/float64(1+uses[t].docs))+1)
		best, n := t, 0
		for form, times := range uses[t].forms {
			if times > n || times == n && form < best {
				best, n = form, times
			}
		}
		f.forms = append(f.forms, best)
	}
}

// row is a document as a unit tf-idf vector, terms ascending.
func (f *fitted) row(words []Word) (col []int32, val []float64) {
	for _, w := range words {
		if i, ok := f.index[w.Stem]; ok {
			col = append(col, i)
		}
	}
	slices.Sort(col)
	n := 0
	for i := 0; i < len(col); {
		j := i
		for j < len(col) && col[j] == col[i] {
			j++
		}
		val = append(val, (1+math.Log(float64(j-i)))*f.idf[col[i]])
		col[n] = col[i]
		n++
		i = j
	}
	unit(val)
	return col[:n], val
}

// matrix leaves out documents without a known term.
func (f *fitted) matrix(docs []Document) sparse {
	var v sparse
	for _, d := range docs {
		if col, val := f.row(d.Words); len(col) > 0 {
			v.col, v.val = append(v.col, col), append(v.val, val)
		}
	}
	return v
}

func unit(x []float64) {
	n := 0.
	for _, a := range x {
		n += a * a
	}
	if n = math.Sqrt(n); n > 0 {
		for i := range x {
			x[i] /= n
		}
	}
}

// begin lays the first topics: the previous model's, then documents far from those
// chosen before (as k-means++ does), so that no two topics begin alike.
func (f *fitted) begin(v sparse, k int, before *Model, r *rand.Rand) []float64 {
	n := len(f.terms)
	h := make([]float64, k*n)
	for i := range h {
		h[i] = .01 * (1 + r.Float64()) / math.Sqrt(float64(n))
	}
	from := 0
	if before != nil {
		for t := range min(k, len(before.Topics)) {
			for j, term := range before.m.terms {
				if i, ok := f.index[term]; ok {
					h[t*n+int(i)] += before.m.h[t*len(before.m.terms)+j]
				}
			}
			from++
		}
	}
	near := make([]float64, len(v.col)) // largest similarity to a beginning
	look := func(t int) {
		for d := range v.col {
			near[d] = max(near[d], dot(v.col[d], v.val[d], h[t*n:(t+1)*n]))
		}
	}
	for t := range from {
		look(t)
	}
	for t := from; t < k; t++ {
		sum := 0.
		for d := range near {
			sum += max(1-near[d], 0)
		}
		x, at := r.Float64()*sum, 0
		for at < len(near)-1 && x > max(1-near[at], 0) {
			x -= max(1-near[at], 0)
			at++
		}
		for i, c := range v.col[at] {
			h[t*n+int(c)] += v.val[at][i]
		}
		look(t)
	}
	return h
}

func dot(col []int32, val, dense []float64) float64 {
	s := 0.
	for i, c := range col {
		s += val[i] * dense[c]
	}
	return s
}

// gram is the k × k matrix of inner products: of h's rows, or of w's columns.
func gram(x []float64, k, n int, rows bool) []float64 {
	g := make([]float64, k*k)
	half := blas64.Symmetric{N: k, Stride: k, Data: g, Uplo: blas.Upper}
	if rows {
		blas64.Syrk(blas.NoTrans, 1, dense(k, n, x), 0, half)
	} else {
		blas64.Syrk(blas.Trans, 1, dense(n, k, x), 0, half)
	}
	for i := range k {
		for j := range i {
			g[i*k+j] = g[j*k+i]
		}
	}
	return g
}

func dense(rows, cols int, x []float64) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: x}
}

// updateW is W ← W·(VHᵀ)/(WHHᵀ) (Lee and Seung 2001, Theorem 1).
func updateW(v sparse, w, h []float64, k, n int) {
	g := gram(h, k, n, true)
	up := make([]float64, k)
	for d := range v.col {
		clear(up)
		for i, c := range v.col[d] {
			for t := range k {
				up[t] += v.val[d][i] * h[t*n+int(c)]
			}
		}
		scaleRow(w[d*k:(d+1)*k], up, g, k)
	}
}

// scaleRow multiplies a row of W by up over what W and the gram matrix give now.
func scaleRow(w, up, g []float64, k int) {
	down := make([]float64, k)
	for a, x := range w {
		for b := range k {
			down[b] += x * g[a*k+b]
		}
	}
	for t := range w {
		w[t] *= up[t] / (down[t] + tiny)
	}
}

// updateH is H ← H·(WᵀV)/(WᵀWH).
func updateH(v sparse, w, h []float64, k, n int) {
	g := gram(w, k, len(v.col), false)
	up := make([]float64, k*n)
	for d := range v.col {
		for i, c := range v.col[d] {
			x := v.val[d][i]
			for t := range k {
				up[t*n+int(c)] += x * w[d*k+t]
			}
		}
	}
	down := make([]float64, k*n)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, dense(k, k, g), dense(k, n, h), 0, dense(k, n, down))
	for i := range h {
		h[i] *= up[i] / (down[i] + tiny)
	}
}

// Assign says which topics a text is about: index into Topics and soft weight,
// adding up to 1, largest first, those above floor. None if no word is known.
func (m *Model) Assign(words []Word, floor float64) []Share {
	col, val := m.m.row(words)
	k, n := len(m.Topics), len(m.m.terms)
	if len(col) == 0 || k == 0 {
		return nil
	}
	up, w := make([]float64, k), make([]float64, k)
	total := 0.
	for t := range k {
		up[t] = dot(col, val, m.m.h[t*n:(t+1)*n])
		w[t] = up[t]
		total += up[t]
	}
	if total <= 0 {
		return nil
	}
	for range 20 {
		scaleRow(w, up, m.m.gram, k)
	}
	total = 0
	for _, x := range w {
		total += x
	}
	var out []Share
	for t, x := range w {
		if total > 0 && x/total > floor {
			out = append(out, Share{t, x / total})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return cmp.Or(-cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.Topic, b.Topic)) < 0
	})
	return out
}

// Factor is T ≈ W·H by the multiplicative updates of Lee and Seung 2001: of a sparse
// matrix of rows, ascending columns and values above 0, with n columns. w is rows × k,
// h is k × n, both flat and not below 0.
func Factor(columns [][]int32, values [][]float64, n, k, rounds int, seed uint64) (w, h []float64) {
	v := sparse{columns, values}
	r := rand.New(rand.NewPCG(seed, 0x666163746f72))
	w, h = make([]float64, len(columns)*k), make([]float64, k*n)
	for i := range w {
		w[i] = r.Float64()
	}
	for i := range h {
		h[i] = r.Float64()
	}
	for range rounds {
		updateW(v, w, h, k, n)
		updateH(v, w, h, k, n)
	}
	return w, h
}
