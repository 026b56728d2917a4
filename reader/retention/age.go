package retention

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseAge reads an age such as "12mo", "3y" or "off": negative for "off", 0 for "".
func ParseAge(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	for unit, of := range map[string]time.Duration{"d": day, "w": 7 * day, "mo": 365 * day / 12, "y": 365 * day} {
		number, ok := strings.CutSuffix(text, unit)
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 {
			// Compared before it is multiplied: 600 years overflow to 15.
			if most := 100 * 365 * day; time.Duration(n) <= most/of && time.Duration(n)*of >= MinAge {
				return time.Duration(n) * of, nil
			}
			return 0, fmt.Errorf("%q is shorter than 30 days or longer than 100 years", text)
		}
	}
	switch strings.ToLower(text) {
	case "":
		return 0, nil
	case "off":
		return -1, nil
	}
	return 0, fmt.Errorf("%q is not an age such as 30d, 8w, 12mo or 3y, nor off", text)
}

// agesOf is how old the texts and rows of a feed become, where all others become ages. A
// feed that keeps its texts, or keeps them longer, keeps its rows as well.
func agesOf(setting string, ages Ages) (text, rows time.Duration) {
	text, rows = ageOf(setting, ages.Text), ages.Rows
	switch own, err := ParseAge(setting); {
	case err != nil || rows == 0:
	case own < 0:
		rows = 0
	default:
		rows = max(rows, own)
	}
	return text, rows
}

// ageOf is how old the texts of a feed become, where all others become age: 0 keeps
// them.
func ageOf(setting string, age time.Duration) time.Duration {
	switch own, err := ParseAge(setting); {
	case err != nil || own == 0:
		return age
	case own < 0:
		return 0
	default:
		return own
	}
}
