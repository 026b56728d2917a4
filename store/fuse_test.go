//go:build linux

package store

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// mount lets other processes use d as a folder, and returns it with what ends
// it. This process must not touch what is in it: a page of a map that only it
// could serve would stop it for ever. Skipped where FUSE is not to be had.
func (d *disk) mount(t *testing.T) (dir string, unmount func()) {
	t.Helper()
	dir = t.TempDir()
	none := time.Duration(0)
	server, err := fs.Mount(dir, &folderNode{d: d}, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "lossy", Name: "diurna-test", DisableXAttrs: true},
		EntryTimeout: &none, AttrTimeout: &none, UID: uint32(os.Geteuid()), GID: uint32(os.Getegid()),
	})
	if err != nil {
		t.Skip("no FUSE here, so no power can be cut:", err)
	}
	return dir, func() {
		for range 500 {
			if err = server.Unmount(); err == nil {
				server.Wait()
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("unmount:", err)
	}
}

// folderNode and fileNode are the kernel's view of a disk.
type folderNode struct {
	fs.Inode
	d *disk
}

type fileNode struct {
	fs.Inode
	d    *disk
	f    *inode
	name string // the first one, for the words of a fault
}

func (n *folderNode) child(ctx context.Context, name string, f *inode, out *fuse.EntryOut) *fs.Inode {
	f.attr(&out.Attr)
	return n.NewInode(ctx, &fileNode{d: n.d, f: f, name: name}, fs.StableAttr{Mode: syscall.S_IFREG, Ino: f.no})
}

func (f *inode) attr(a *fuse.Attr) {
	a.Mode, a.Size, a.Ino, a.Nlink = syscall.S_IFREG|0o600, uint64(len(f.data)), f.no, 1
	a.Uid, a.Gid = uint32(os.Geteuid()), uint32(os.Getegid())
}

func (n *folderNode) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode = syscall.S_IFDIR | 0o700
	out.Uid, out.Gid = uint32(os.Geteuid()), uint32(os.Getegid())
	return 0
}

func (n *folderNode) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	f := n.d.names[name]
	if f == nil {
		return nil, syscall.ENOENT
	}
	return n.child(ctx, name, f, out), 0
}

func (n *folderNode) Readdir(context.Context) (fs.DirStream, syscall.Errno) {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	var list []fuse.DirEntry
	for name, f := range n.d.names {
		list = append(list, fuse.DirEntry{Name: name, Ino: f.no, Mode: syscall.S_IFREG})
	}
	return fs.NewListDirStream(list), 0
}

func (n *folderNode) Create(ctx context.Context, name string, flags, _ uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	f := n.d.names[name]
	switch {
	case f != nil && flags&syscall.O_EXCL != 0:
		return nil, nil, 0, syscall.EEXIST
	case f == nil:
		if errno := n.d.enter("create", name); errno != 0 {
			return nil, nil, 0, errno
		}
		f = n.d.create(name)
	}
	return n.child(ctx, name, f, out), nil, fuse.FOPEN_KEEP_CACHE, 0
}

func (n *folderNode) Unlink(_ context.Context, name string) syscall.Errno {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	errno := n.d.enter("remove", name)
	if errno == 0 {
		n.d.rename(naming{name: nil})
	}
	return errno
}

func (n *folderNode) Rename(_ context.Context, name string, _ fs.InodeEmbedder, to string, flags uint32) syscall.Errno {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	if flags != 0 {
		return syscall.EINVAL
	}
	errno := n.d.enter("rename", name)
	if errno == 0 {
		n.d.rename(naming{name: nil, to: n.d.names[name]})
	}
	return errno
}

func (n *folderNode) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	if n.d.names[name] != nil {
		return nil, syscall.EEXIST
	}
	f := target.(*fileNode).f
	if errno := n.d.enter("link", name); errno != 0 {
		return nil, errno
	}
	n.d.rename(naming{name: f})
	return n.child(ctx, name, f, out), 0
}

func (n *folderNode) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	errno := n.d.enter("sync", "the folder")
	if errno == 0 {
		n.d.syncFolder()
	}
	return errno
}

func (n *fileNode) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	if n.d.cold {
		return nil, 0, 0
	}
	return nil, fuse.FOPEN_KEEP_CACHE, 0
}

func (n *fileNode) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	n.f.attr(&out.Attr)
	return 0
}

func (n *fileNode) Setattr(_ context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	if size, ok := in.GetSize(); ok {
		if errno := n.d.enter("truncate", n.name); errno != 0 {
			return errno
		}
		n.f.write(writing{at: int64(size)})
	}
	n.f.attr(&out.Attr)
	return 0
}

func (n *fileNode) Read(_ context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	if errno := n.d.read(n.name, off, len(dest)); errno != 0 {
		return nil, errno
	}
	if off >= int64(len(n.f.data)) {
		return fuse.ReadResultData(nil), 0
	}
	return fuse.ReadResultData(dest[:copy(dest, n.f.data[off:])]), 0
}

func (n *fileNode) Write(_ context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	if errno := n.d.enter("write", n.name); errno != 0 {
		return 0, errno
	}
	n.f.write(writing{off, append([]byte{}, data...)})
	return uint32(len(data)), 0
}

func (n *fileNode) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	n.d.mu.Lock()
	defer n.d.mu.Unlock()
	errno := n.d.enter("sync", n.name)
	if errno == 0 {
		n.f.sync()
	}
	return errno
}

var (
	_ fs.NodeLookuper  = (*folderNode)(nil)
	_ fs.NodeReaddirer = (*folderNode)(nil)
	_ fs.NodeCreater   = (*folderNode)(nil)
	_ fs.NodeUnlinker  = (*folderNode)(nil)
	_ fs.NodeRenamer   = (*folderNode)(nil)
	_ fs.NodeLinker    = (*folderNode)(nil)
	_ fs.NodeFsyncer   = (*folderNode)(nil)
	_ fs.NodeGetattrer = (*folderNode)(nil)
	_ fs.NodeOpener    = (*fileNode)(nil)
	_ fs.NodeGetattrer = (*fileNode)(nil)
	_ fs.NodeSetattrer = (*fileNode)(nil)
	_ fs.NodeReader    = (*fileNode)(nil)
	_ fs.NodeWriter    = (*fileNode)(nil)
	_ fs.NodeFsyncer   = (*fileNode)(nil)
)
