package prose

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestRealPages lays out every tenth page of the data set beside the project.
func TestRealPages(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/pages/*/*.html.gz")
	if len(files) == 0 {
		t.Skip("no ../shared/data/pages here")
	}
	for i := 0; i < len(files); i += 10 {
		f, err := os.Open(files[i])
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		html, err := io.ReadAll(z)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(filepath.Dir(files[i])), func(t *testing.T) {
			narrow, wide := render(string(html), base, 40), render(string(html), base, 72)
			sound(t, narrow, 40)
			sound(t, wide, 72)
			if len(wide.Lines) == 0 {
				t.Error("nothing to read on the page")
			}
			if !wide.Cut && len(narrow.Paras) != len(wide.Paras) {
				t.Errorf("%d paragraphs on 40 cells, %d on 72", len(narrow.Paras), len(wide.Paras))
			}
		})
	}
}
