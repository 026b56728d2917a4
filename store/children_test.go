package store

func child(string) {}
