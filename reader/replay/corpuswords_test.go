package replay

// corpusSubjects are what the feeds of the made-up corpus write about: four
// subjects a folder, each with words of its own. The first word is the publisher's
// category.
var corpusSubjects = []string{
	"harbour ferry pier breakwater anchor mooring skipper dock lighthouse buoy crane cargo",
	"fishing trawler net cod quota herring boat catch mackerel salmon angler bait",
	"weather storm gale forecast rain pressure front cloud thunder snow drought humidity",
	"rowing regatta oar crew cox sculls lane medal coach boathouse stroke sprint",
	"kernel scheduler syscall driver interrupt paging module patch block maintainer lock trace",
	"databases index query transaction checksum replica btree schema vacuum shard commit log",
	"terminals cursor escape font width colour shell prompt pane multiplexer keyboard glyph",
	"security exploit certificate phishing password leak cipher sandbox token audit malware vulnerability",
	"baking bread rye sourdough oven crust flour yeast dough loaf starter crumb",
	"coffee espresso roast grinder bean filter crema barista harvest kettle aroma cupping",
	"gardening tomato compost seedling pruning mulch orchard soil greenhouse rose pest watering",
	"cheese rind goat milk dairy brine cellar curd wheel affinage butter pasture",
	"astronomy comet telescope orbit meteor nebula galaxy eclipse planet spectrum observatory dust",
	"volcanoes eruption lava magma ash crater fissure plume caldera seismic geologist basalt",
	"birds migration nest plover owl warbler feather wetland ringing flock song hawk",
	"mathematics theorem proof prime lemma conjecture geometry topology integer group symmetry graph",
	"cycling bicycle lane helmet counter pedal saddle gravel commuter brake wheelset climb",
	"trains railway timetable platform locomotive signal track tram station sleeper carriage junction",
	"housing rent tenant mortgage landlord planning zoning estate apartment eviction cooperative roof",
	"council mayor budget vote petition levy ward debate election referendum bylaw committee",
	"jazz trumpet quartet improvisation bass drummer ballad club swing album session chord",
	"cinema film director festival screenplay premiere actor documentary lens reel trailer projector",
	"novels author chapter publisher translation prize manuscript fiction paperback poetry reader plot",
	"chess opening endgame gambit rook tournament grandmaster bishop pawn rating checkmate clock",
}

// corpusPlain are words that belong to no subject.
const corpusPlain = `small large early late quiet sudden annual local common strange report notes story guide question answer lesson
	history future morning evening week month season visit plan change return problem result start end year people place work time
	things ideas first second third better best simple hard long short open closed behind inside beyond almost never always`
