/** Recognises network file systems on Linux, on which the memory maps and locks of LMDB do not work between processes. */
import { statfsSync } from 'node:fs'

/** Types that statfs(2) gives, with the names that `mount` uses. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x7461636f, 'ocfs2'],
  [0x01161970, 'gfs2'],
])

/** Returns the name of the type if it is a network file system. */
export function networkTypeName(type: number): string | undefined {
  return networkTypes.get(type >>> 0)
}

/** Throws if several processes cannot share files in the folder. Other systems than Linux number their types differently. */
export function rejectNetworkFileSystem(folder: string): void {
  if (process.platform !== 'linux') return
  const name = networkTypeName(statfsSync(folder).type)
  if (name === undefined) return
  throw new Error(
    `it is on a network file system (${name}), which several workers cannot share: set data_path to a local disk, or workers to 1`,
  )
}
