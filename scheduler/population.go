package scheduler

// populationHours is when people look, by local hour, in per mille of a day.
var populationHours = [24]float64{
	39.7, 30.5, 22.3, 14.8, 13.8, 8.6, 11.1, 19.9, 30.2, 34.0, 46.1, 56.0,
	57.0, 49.2, 52.2, 62.2, 60.7, 63.9, 58.7, 59.5, 53.6, 52.8, 53.9, 49.1,
}

const (
	newReaderDays  = 7   // until then the population's shape counts
	newReaderLooks = 3.0 // looks a day of somebody nothing is known about
)

// population shrinks a new reader's profile to the shape of others', fading out
// over the first week.
func (p *Profile) population(observed int64) {
	age := float64(observed) / day
	if age >= newReaderDays {
		return
	}
	// The prior weighs as three days at first; a reader's own evening says
	// little against it, a week of evenings everything.
	weight := 3 * (1 - age/newReaderDays)
	level := (float64(p.Events) + newReaderLooks) / (age + 1)
	shape := populationShape()
	for k := range p.Rate {
		p.Rate[k] = (p.Rate[k]*age + weight*level*shape[k]) / (age + weight)
	}
}

// populationShape is the hours in slots, total 1.
func populationShape() [Slots]float64 {
	out := profileOfHours(&populationHours, 1, 0)
	total := out.PerDay()
	for k := range out.Rate {
		out.Rate[k] /= total
	}
	return out.Rate
}
