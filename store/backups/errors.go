package backups

import (
	"errors"

	"diurna/store/db"
	"diurna/store/pages"
)

// Why a file cannot be restored; see BackupError.
var (
	ErrNotBackup     = errors.New("not a diurna backup")
	ErrBackupDamaged = errors.New("the backup is damaged")
	ErrIsLibrary     = errors.New("the file is the library itself")
)

// BackupError says why the file at Path cannot take the library's place, which was
// left as it is. Why is ErrNotBackup, ErrBackupDamaged or ErrIsLibrary, and
// errors.Is(err, Why) holds. Damage is set with ErrBackupDamaged.
type BackupError struct {
	Path   string
	Why    error
	Damage *db.DamagedError
}

func (e *BackupError) Error() string {
	switch {
	case e.Why == ErrIsLibrary:
		return e.Path + " is the library itself, not a backup of it"
	case e.Why == ErrBackupDamaged && e.Damage != nil && e.Damage.Record != "":
		return "the backup " + e.Path + " is damaged (" + pages.Short(e.Damage.Record) + "): " + pages.Short(e.Damage.What)
	case e.Why == ErrBackupDamaged && e.Damage != nil:
		return "the backup " + e.Path + " is damaged: " + pages.Short(e.Damage.What)
	}
	return e.Path + " is not a diurna backup"
}

// Is makes errors.Is(err, e.Why) true.
func (e *BackupError) Is(target error) bool { return target == e.Why }
