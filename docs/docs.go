// Package docs holds the pages that the program prints.
package docs

import _ "embed"

// Queries is the page about queries, in Markdown that can be read as it is.
//
//go:embed queries.md
var Queries string

// Rules is the page about rules.
//
//go:embed rules.md
var Rules string
