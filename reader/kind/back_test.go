package kind

import (
	"strings"
	"testing"
)

// TestKindOfOne asks of one word of a block, which stands in brackets, what kind it is.
func TestKindOfOne(t *testing.T) {
	for text, want := range map[string]Kind{
		"Sign-up ends [2] days before the exam":                                  Number,
		"Die Anmeldung endet [2] Tage vor der Prüfung":                           Number,
		"Přihlašování končí [3] dny před zkouškou":                               Number,
		"L'inscription ferme [2] jours avant l'examen":                           Number,
		"取 消 は [3] 日 前 ま で":                                                      Number,
		"Everybody must be there 20 minutes ago [2] numbered pier":               Number,
		"Yolcular en az 20 dakika önce [2] numaralı iskelede hazır bulunmalıdır": Number,
		"Opublikowano 3 dni temu [39] zint":                                      Age,
		"Wir haben ihn am Kai zuletzt vor [5] Tagen gesehen":                     Age,
		"posted [2] days ago by oduya":                                           Age,
		"vor [2] Tagen von oduya":                                                Age,
		"před [3] dny":                                                           Age,
		"[3] 日 前":                                                                Age,
		"[2] days left before the sale":                                          Age,
		"Oduya B204 [17/40] open":                                                Count,
		"Oduya B204 [40/40] open":                                                State,
		"Oduya B204 [3/11] open":                                                 Number,
		"Oduya B204 [12/28] open":                                                Number,
		"Oduya B204 [4/2] open":                                                  Number,
		"gulls.zip 12.9 MB [1951] downloads":                                     Count,
		"gulls.zip 12 MB [1951] downloads":                                       Count,
		"gulls.zip 5 MB [2011] downloads":                                        Count,
		"Regatta on 12 May [2026]":                                               Date,
		"Hôpital dans [12] min":                                                  Age,
		"Hôpital toutes les [12] min":                                            Number,
		"Begonnen am 30. Oktober 2026 [1.284] Aufrufe":                           Count,
		"Tel 030 2026 [1284]":                                                    Number,
		"En vigor desde el 1 de diciembre de 2026 [7] min de lectura":            Count,
		"최종 수정 2026년 11월 [21일]":                                                  Stamp,
		"Oduya [12,445] EUR of 40,000 EUR":                                       Count,
		"Oduya [12 445] EUR sur 40 000 EUR":                                      Count,
		"Oduya [52,445] EUR of 40,000 EUR":                                       Amount,
		"1 EUR [6,50]":                                                           Count,
		"2 EUR [6,50]":                                                           Amount,
		"Page built [2026-11-02T08:00]":                                          Stamp,
		"Προβολές [20783] Ενημερώθηκε":                                           Count,
		"Ενημερώθηκε πριν από [2] ημέρες":                                        Age,
		"Dibaca [53858] kali":                                                    Count,
		"עודכן לפני [3] ימים":                                                    Age,
		"Transfer [Rp3.000]":                                                     Amount,
		"Seat [Qx3.000]":                                                         Number,
		"ベータ版 [5.5.0-beta2]":                                                     Version,
		"Broj posjeta danas [402]":                                               Count,
		"Regatta on 12 XI [2026]":                                                Date,
	} {
		words, at, to := strings.Fields(text), 0, 0
		for i, w := range words {
			if w[0] == '[' {
				at = i
			}
			if w[len(w)-1] == ']' {
				to = i + 1
			}
			words[i] = strings.Trim(w, "[]")
		}
		if got := Of(words, at, to, DateSpans(words)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
