package feed

import (
	"os"
	"testing"

	"diurna/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
