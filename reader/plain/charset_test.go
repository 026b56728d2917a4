package plain

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html/charset"
)

// TestGuess: a paragraph in each script is read in each charset that it was
// written in.
func TestGuess(t *testing.T) {
	for text, names := range map[string]string{
		"Утром мы вышли из дома и пошли к реке. Вода стояла высоко, и лодки ждали у самого моста.":                                                      "windows-1251 koi8-r iso-8859-5 ibm866",
		"ЗАГОЛОВОК БОЛЬШИМИ БУКВАМИ, а под ним обычный рассказ о погоде в нашем городе":                                                                 "windows-1251 koi8-r iso-8859-5",
		"Вранці ми вийшли з дому й пішли до річки. Її вода стояла високо, і човни чекали біля мосту.":                                                   "windows-1251 koi8-u",
		"Το πρωί βγήκαμε από το σπίτι και πήγαμε στο ποτάμι. Τα νερά ήταν ψηλά και οι βάρκες περίμεναν κοντά στη γέφυρα.":                               "windows-1253",
		"בבוקר יצאנו מן הבית והלכנו אל הנהר. המים היו גבוהים והסירות חיכו ליד הגשר הישן של העיר שלנו":                                                   "windows-1255",
		"خرجنا في الصباح من البيت وذهبنا إلى النهر. كان الماء مرتفعا وكانت القوارب تنتظر قرب الجسر القديم":                                              "windows-1256",
		"ตอนเช้าเราออกจากบ้านแล้วเดินไปที่แม่น้ำ น้ำขึ้นสูงและเรือจอดรออยู่ใกล้สะพานเก่าของเมือง":                                                       "windows-874",
		"Ráno jsme vyšli z domu a šli k řece. Voda byla vysoká a loďky čekaly těsně u starého mostu, který už dávno chtěli opravit.":                    "windows-1250 iso-8859-2",
		"Rano wyszliśmy z domu i poszliśmy nad rzekę. Woda stała wysoko, a łódki czekały tuż przy moście, żeby przewieźć ludzi.":                        "windows-1250 iso-8859-2",
		"Sabah evden çıktık ve ırmağa doğru yürüdük. Su yüksekti, kayıklar eski köprünün yanında bekliyordu, güneş ışığı altında.":                      "windows-1254",
		"아침에 우리는 집을 나서서 강으로 갔다. 물은 높았고 배들은 다리 옆에서 기다렸다.":                                                                                                "euc-kr",
		"早上我们离开家走到河边。水涨得很高，船在桥边等着我们，大家都很高兴。":                                                                                                            "gbk gb18030",
		"早上我們離開家走到河邊。水漲得很高，船在橋邊等著我們，大家都很高興。":                                                                                                            "big5",
		"朝、家を出て川へ行った。水は高く、船は橋のそばで待っていた。":                                                                                                                "shift_jis euc-jp iso-2022-jp",
		"Au matin, nous sommes allés jusqu’à la rivière ; l’été était passé, et les élèves rentraient déjà – « très tôt ».":                             "windows-1252",
		"Am Morgen gingen wir zum Fluss. Das Wasser stand höher als üblich; die Kähne lagen, müde und grün, an der Brücke. STRASSENBAHNFÜHRER GRÜSSEN.": "windows-1252",
		"¿Qué pasó mañana? El niño cruzó el río a las 8 y después volvió con 20 m² de lona. ¡Así es!":                                                   "windows-1252",
		"Pela manhã saímos de casa e fomos até o rio. As águas não estavam tão altas, e três irmãos já esperavam à sombra.":                             "windows-1252",
		"Om morgenen gikk vi på båten; været var dårlig, og måkene fløy over sjøen. Æren var vår.":                                                      "windows-1252",
		"Um morguninn fórum við að ánni. Vatnið stóð hátt og bátarnir biðu við brúna, þegar sólin kom upp á ný.":                                        "windows-1252",
		"È già così: perché più? Libertà, città, virtù. Mario andò via":                                                                                 "windows-1252",
		"Only one café here": "windows-1252",
	} {
		for _, name := range strings.Fields(names) {
			enc, _ := charset.Lookup(name)
			b, err := enc.NewEncoder().Bytes([]byte("<rss><title>A feed</title><item>" + text + "</item></rss>"))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, guessed := Guess(b)
			if name == "windows-1252" {
				if guessed != "" {
					t.Errorf("%s was taken for %s: %s", text, guessed, got)
				}
			} else if !bytes.Contains(got, []byte(text)) {
				t.Errorf("%s in %s was taken for %q: %s", text, name, guessed, got)
			}
		}
	}
}

// TestGuessCosts: a large document is looked at in part.
func TestGuessCosts(t *testing.T) {
	for _, piece := range []string{"\xe9 ", "\xcf\xf2 ", "a\xb9b ", "\xa4\xa2 ", "\x81\x40x "} {
		start := time.Now()
		Guess(bytes.Repeat([]byte(piece), 2<<20/len(piece)))
		if took := time.Since(start); took > slower*2*time.Second {
			t.Errorf("%q: %v", piece, took)
		}
	}
}

// FuzzGuess: what is read is UTF-8 and named.
func FuzzGuess(f *testing.F) {
	f.Add([]byte("\xcf\xf0\xe8\xe2\xe5\xf2"))
	f.Add([]byte("\x1b$B$3\x1b(B"))
	f.Fuzz(func(t *testing.T, b []byte) {
		text, name := Guess(b)
		if (text == nil) != (name == "") {
			t.Fatalf("%q read as %q", text, name)
		}
	})
}
