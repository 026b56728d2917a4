package main

// step is keys, the text that the screen shows once they have acted, and for how
// many seconds that screen stands. says stands below the screen from then on.
type step struct {
	keys, until string
	seconds     float64
	says        string
}

// script is a minute of use.
var script = []step{
	{"", "[1River]", 3.2, "diurna demo · River: all feeds, newest first"},
	{"j", "[1River]", 0.5, "j k · down, up"},
	{"j", "[1River]", 0.5, ""},
	{"j", "[1River]", 0.5, ""},
	{"j", "[1River]", 1, ""},
	{"\r", "q back", 5, "Enter · read"},
	{"s", "q back", 2, "s · save"},
	{"n", "q back", 4, "n · the next unread, without going back"},
	{"q", "[1River]", 3, "q · back; read titles recede, s is saved"},
	{"3", "[3Ranked]", 4, "3 · Ranked: the same rows by how likely you are to open them"},
	{"j", "[3Ranked]", 0.8, ""},
	{"w", "Ranked", 6, "w · why a row stands where it stands"},
	{"q", "[3Ranked]", 1, "q · back"},
	{"5", "[5Pages]", 4, "5 · Pages: watched for changes"},
	{"j", "[5Pages]", 0.8, ""},
	{"\r", "Pier timetable", 5, "Enter · what changed on the page"},
	{"q", "[5Pages]", 1, "q · back"},
	{"1", "[1River]", 1, "1 · River"},
	{"/", "/", 0.6, "/ · find"},
	{"h", "/h", 0.3, ""},
	{"a", "/ha", 0.3, ""},
	{"r", "/har", 1.5, ""},
	{"\r", "[1River]", 1.5, ""},
	{"&", "&", 0.6, "& · narrow the list"},
	{"feed:harbour", "feed:harbour", 1.5, ""},
	{"\r", "[1River]", 3, ""},
	{"\x1b", "[1River]", 1.4, "Esc · all rows again"},
	{"?", "Help", 4, "? · every key, what can be done here first"},
	{"q", "[1River]", 2, "q · back; once more to leave"},
}
