package plain

import (
	"strings"
	"sync"
)

// What may become of an element.
const (
	unknown   = iota // its tags go, what is in it stays
	known            // it stays
	swallowed        // it goes with all that is in it
)

// What may become of an attribute; those that are not listed go.
const (
	_         = iota
	plainly   // stays as it is
	address   // stays if its address is harmless
	addresses // the same for a list of them
	styles    // its declarations are looked at
)

func table[V any](words map[string]V) map[string]V {
	m := map[string]V{}
	for names, v := range words {
		for _, n := range strings.Fields(names) {
			m[n] = v
		}
	}
	return m
}

// lists are the names that the policy lets through.
type lists struct {
	elements, attributes                    map[string]int
	endless, schemes, cssNames, cssFamilies map[string]bool
}

// listed is made when it is first asked for: many commands clean no text.
var listed = sync.OnceValue(func() *lists {
	return &lists{
		// elements are those of HTML that hold text, pictures, sound or the frame of
		// one, and those of presentation MathML.
		elements: table(map[string]int{
			`a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center cite code
	col colgroup command data datagrid datalist dd del details dfn dialog dir div dl dt em embed event-source fieldset
	figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i iframe img input ins kbd keygen label legend
	li m main map mark menu meter multicol nav nextid noscript object ol optgroup option output p param picture pre
	progress q rp rt ruby s samp search section select small sound source spacer span strike strong sub summary sup
	table tbody td textarea tfoot th thead time tr track tt u ul var video wbr`: known,
			`math maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms
	mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics annotation`: known,
			`script style applet svg template title xmp noembed noframes plaintext frameset annotation-xml`: swallowed,
		}),

		// endless are the elements that have no end tag, or may do without.
		endless: table(map[string]bool{
			`area br col command embed hr img input keygen nextid param source spacer track wbr mprescripts none
	p li dt dd tr td th tbody thead tfoot option optgroup colgroup rp rt`: true,
		}),

		// attributes are those of HTML that neither run nor load anything but what a
		// person sees.
		attributes: table(map[string]int{
			`abbr accept accept-charset accesskey align alt allowfullscreen autocomplete autofocus autoplay axis balance bgcolor
	bgproperties border bordercolor bordercolordark bordercolorlight bottompadding cellpadding cellspacing ch challenge
	char charoff charset checked choff class clear color cols colspan compact contenteditable controls coords datafld
	datapagesize datasrc datetime decoding default delay dir dirname disabled download draggable dynsrc enctype end face
	for form frame frameborder galleryimg gutter headers height hidden hidefocus high hreflang hspace icon id inputmode
	ismap itemid itemprop itemscope itemtype keytype kind label lang leftspacing list loading loop loopcount loopend
	loopstart low lowsrc max maxlength media method min multiple muted name nohref noshade nowrap open optimum pattern
	placeholder playsinline point-size preload pqg prompt radiogroup readonly rel repeat-max repeat-min replace required
	rev reversed rightspacing role rows rowspan rules scope selected shape size sizes span start step suppress
	tabindex target template title toppadding translate type unselectable urn usemap valign value variable volume vrml vspace
	width wrap xml:lang scrolling`: plainly,
			`alttext columnalign columnlines columnspacing columnspan depth display displaystyle encoding equalcolumns equalrows
	fence fontstyle fontweight framespacing linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize
	minsize notation rowalign rowlines rowspacing rspace scriptlevel separator stretchy xlink:show xlink:type`: plainly,
			`action background cite classid codebase data formaction href longdesc poster profile src xlink:href`: address,
			`srcset`: addresses,
			`style`:  styles,
		}),

		// schemes are those that name a place, a user or a thing.
		schemes: table(map[string]bool{
			`http https mailto tel sms ftp ftps sftp feed rss magnet irc ircs xmpp news nntp gemini gopher geo callto skype aim
	webcal git ssh svn cid mid urn tag bittorrent ed2k mms mmst rtsp rtmp steam spotify itms podcast podcasts telnet
	webcals wais gtalk bitcoin matrix signal tg at dat ipfs acct`: true,
		}),

		// cssNames and cssFamilies of cssNames dress text where it stands: none moves
		// it over something else.
		cssNames: table(map[string]bool{
			`azimuth clear color cursor direction display elevation float height letter-spacing line-height overflow page-break-after
		page-break-before page-break-inside pause pitch richness stress unicode-bidi vertical-align white-space width word-spacing
		word-wrap word-break max-width max-height min-width min-height caption-side empty-cells quotes tab-size`: true,
		}),
		cssFamilies: table(map[string]bool{`background border font list margin padding text volume voice speak`: true}),
	}
})
