package markup

// Element is an element that HTML knows; Other stands for every other one.
type Element uint8

// The elements.
const (
	Other Element = iota
	A
	Abbr
	Address
	Area
	Article
	Aside
	Audio
	B
	Base
	Big
	Blockquote
	Body
	Br
	Button
	Caption
	Center
	Code
	Col
	Dd
	Del
	Details
	Dialog
	Dir
	Div
	Dl
	Dt
	Em
	Embed
	Fieldset
	Figcaption
	Figure
	Font
	Footer
	Form
	Frame
	Frameset
	H1
	H2
	H3
	H4
	H5
	H6
	Head
	Header
	Hgroup
	Hr
	Html
	I
	Iframe
	Img
	Input
	Ins
	Label
	Legend
	Li
	Link
	Main
	Mark
	Math
	Menu
	Meta
	Nav
	Noembed
	Noframes
	Noscript
	Object
	Ol
	Optgroup
	Option
	P
	Param
	Picture
	Plaintext
	Pre
	S
	Script
	Search
	Section
	Select
	Small
	Source
	Span
	Strike
	Strong
	Style
	Sub
	Summary
	Sup
	Svg
	Table
	Tbody
	Td
	Template
	Textarea
	Tfoot
	Th
	Thead
	Time
	Title
	Tr
	Track
	Tt
	U
	Ul
	Video
	Wbr
	Xmp

	Elements // how many there are
)

// elements say how each is written, and whether its content is raw text.
var elements = [Elements]struct {
	name string
	raw  bool
}{
	A:          {name: "a"},
	Abbr:       {name: "abbr"},
	Address:    {name: "address"},
	Area:       {name: "area"},
	Article:    {name: "article"},
	Aside:      {name: "aside"},
	Audio:      {name: "audio"},
	B:          {name: "b"},
	Base:       {name: "base"},
	Big:        {name: "big"},
	Blockquote: {name: "blockquote"},
	Body:       {name: "body"},
	Br:         {name: "br"},
	Button:     {name: "button"},
	Caption:    {name: "caption"},
	Center:     {name: "center"},
	Code:       {name: "code"},
	Col:        {name: "col"},
	Dd:         {name: "dd"},
	Del:        {name: "del"},
	Details:    {name: "details"},
	Dialog:     {name: "dialog"},
	Dir:        {name: "dir"},
	Div:        {name: "div"},
	Dl:         {name: "dl"},
	Dt:         {name: "dt"},
	Em:         {name: "em"},
	Embed:      {name: "embed"},
	Fieldset:   {name: "fieldset"},
	Figcaption: {name: "figcaption"},
	Figure:     {name: "figure"},
	Font:       {name: "font"},
	Footer:     {name: "footer"},
	Form:       {name: "form"},
	Frame:      {name: "frame"},
	Frameset:   {name: "frameset"},
	H1:         {name: "h1"},
	H2:         {name: "h2"},
	H3:         {name: "h3"},
	H4:         {name: "h4"},
	H5:         {name: "h5"},
	H6:         {name: "h6"},
	Head:       {name: "head"},
	Header:     {name: "header"},
	Hgroup:     {name: "hgroup"},
	Hr:         {name: "hr"},
	Html:       {name: "html"},
	I:          {name: "i"},
	Iframe:     {name: "iframe", raw: true},
	Img:        {name: "img"},
	Input:      {name: "input"},
	Ins:        {name: "ins"},
	Label:      {name: "label"},
	Legend:     {name: "legend"},
	Li:         {name: "li"},
	Link:       {name: "link"},
	Main:       {name: "main"},
	Mark:       {name: "mark"},
	Math:       {name: "math"},
	Menu:       {name: "menu"},
	Meta:       {name: "meta"},
	Nav:        {name: "nav"},
	Noembed:    {name: "noembed", raw: true},
	Noframes:   {name: "noframes", raw: true},
	Noscript:   {name: "noscript", raw: true},
	Object:     {name: "object"},
	Ol:         {name: "ol"},
	Optgroup:   {name: "optgroup"},
	Option:     {name: "option"},
	P:          {name: "p"},
	Param:      {name: "param"},
	Picture:    {name: "picture"},
	Plaintext:  {name: "plaintext", raw: true},
	Pre:        {name: "pre"},
	S:          {name: "s"},
	Script:     {name: "script", raw: true},
	Search:     {name: "search"},
	Section:    {name: "section"},
	Select:     {name: "select"},
	Small:      {name: "small"},
	Source:     {name: "source"},
	Span:       {name: "span"},
	Strike:     {name: "strike"},
	Strong:     {name: "strong"},
	Style:      {name: "style", raw: true},
	Sub:        {name: "sub"},
	Summary:    {name: "summary"},
	Sup:        {name: "sup"},
	Svg:        {name: "svg"},
	Table:      {name: "table"},
	Tbody:      {name: "tbody"},
	Td:         {name: "td"},
	Template:   {name: "template"},
	Textarea:   {name: "textarea", raw: true},
	Tfoot:      {name: "tfoot"},
	Th:         {name: "th"},
	Thead:      {name: "thead"},
	Time:       {name: "time"},
	Title:      {name: "title", raw: true},
	Tr:         {name: "tr"},
	Track:      {name: "track"},
	Tt:         {name: "tt"},
	U:          {name: "u"},
	Ul:         {name: "ul"},
	Video:      {name: "video"},
	Wbr:        {name: "wbr"},
	Xmp:        {name: "xmp", raw: true},
}

// String returns the name in lower case, "" for Other.
func (e Element) String() string { return elements[e].name }

// longest is how many bytes a name has at most.
const longest = len("figcaption")

// byHash finds the elements by the hash of their names, with open addressing.
var byHash = func() (t [512]Element) {
	for e := Other + 1; e < Elements; e++ {
		h := uint(0)
		for i := range len(elements[e].name) {
			h = hash(h, elements[e].name[i])
		}
		for t[h%uint(len(t))] != Other {
			h++
		}
		t[h%uint(len(t))] = e
	}
	return t
}()

func hash(h uint, c byte) uint { return h*33 + uint(c) }

// Named returns the element of a name in any case, Other for one that HTML does
// not know.
func Named(name []byte) Element {
	if len(name) > longest {
		return Other
	}
	h := uint(0)
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = hash(h, c)
	}
	for ; ; h++ {
		e := byHash[h%uint(len(byHash))]
		if e == Other || same(name, elements[e].name) {
			return e
		}
	}
}

// same compares bytes in any case with a name in lower case.
func same(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if c != name[i] && (c < 'A' || c > 'Z' || c+('a'-'A') != name[i]) {
			return false
		}
	}
	return true
}

// elementAt returns the element of the tag whose name is src[i:end], and whether
// that is all of the name: signs behind it do not hide what people meant.
func elementAt(src []byte, i, end int) (e Element, exact bool) {
	n := i
	for n < end && nameByte(src[n]) {
		n++
	}
	return Named(src[i:n]), n == end
}

func nameByte(c byte) bool {
	return letter(c) || '0' <= c && c <= '9' || c == '-' || c == ':' || c == '_' || c >= 0x80
}

// ElementOf returns the element of the start or end tag that src begins with.
func ElementOf(src []byte) Element {
	i := 1
	if len(src) > 2 && src[1] == '/' {
		i = 2
	}
	e, _ := elementAt(src, i, len(src))
	return e
}
