//go:build !unix

package sqlite

import "os"

// mapped is nil: such files are read.
func mapped(*os.File, int64) []byte { return nil }

func unmap([]byte) error { return nil }
