package fs

import "golang.org/x/sys/unix"

// Remote returns the kind of the file system that holds the tree, if other machines can
// change it without a notification on this one.
func (t *Tree) Remote() (kind string, remote bool) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(t.at.Fd()), &st); err != nil {
		return "", false
	}
	kind, remote = map[uint32]string{
		unix.NFS_SUPER_MAGIC:  "NFS",
		unix.SMB_SUPER_MAGIC:  "SMB",
		unix.CIFS_SUPER_MAGIC: "SMB",
		unix.SMB2_SUPER_MAGIC: "SMB",
		unix.FUSE_SUPER_MAGIC: "FUSE",
		unix.V9FS_MAGIC:       "9p",
		unix.CEPH_SUPER_MAGIC: "Ceph",
		unix.AFS_SUPER_MAGIC:  "AFS",
		unix.CODA_SUPER_MAGIC: "Coda",
	}[uint32(st.Type)]
	return kind, remote
}
