/**
 * Files that a crash of the machine leaves as they were or as they are to be. One is written so that there is always a
 * whole one: beside it, forced to the disk, then put in its place, then the folder forced to the disk. Whoever reads
 * meanwhile gets the old text or the new one.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, realpath, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes the text; on disk when it resolves. The folder is made when it is missing. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // A link stays a link: the file it leads to is replaced.
  const target = await realpath(path).catch(() => path)
  const folder = dirname(target)
  const beside = join(folder, `.${basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(beside, 'wx', 0o644)
    try {
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, target)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** Removes the file; tells whether there was one. Gone from the disk when it resolves. */
export async function removeDurably(path: string): Promise<boolean> {
  try {
    await unlink(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
  await syncFolder(dirname(path))
  return true
}

/** Forces the folder to the disk: files that were made, renamed or removed in it stay so. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Some systems cannot force a folder to the disk, and need not.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'EISDIR') throw error
  } finally {
    await folder.close()
  }
}
