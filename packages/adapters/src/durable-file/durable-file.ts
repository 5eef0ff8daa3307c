/**
 * Atomic, durable file writes. The text is written to a temporary file in the same folder, synced, and renamed to the
 * target, and the folder is synced. Readers and a crash see the old or the new text, never a partial one.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, realpath, rename, rm, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StoreUnavailableError } from '@turnpike/core/ports'

/**
 * Writes the text. Resolves once it is durable. A missing folder is created. Rejects with `StoreUnavailableError` if the
 * disk does not accept writes now.
 */
export function writeDurably(path: string, text: string): Promise<void> {
  return asOutage(path, () => write(path, text))
}

/** Removes the file durably. Resolves to false if it does not exist. Rejects as `writeDurably`. */
export function removeDurably(path: string): Promise<boolean> {
  return asOutage(path, () => remove(path))
}

/** Errors of a disk that is full, read-only or broken, of a folder without permission, and of a process without descriptors. */
const outageCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'])

async function asOutage<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw outageCodes.has(code) ? new StoreUnavailableError(`cannot write ${path}: ${message}`) : error
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Replaces the target of a symbolic link, not the link.
  const target = await realpath(path).catch(() => path)
  const folder = dirname(target)
  const temporary = join(folder, `.${basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.chmod(await modeOf(target))
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(folder)
}

async function remove(path: string): Promise<boolean> {
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

/** Syncs a folder, which makes created, renamed and removed files in it durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Some systems do not support syncing a folder and do not need it.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'EISDIR') throw error
  } finally {
    await folder.close()
  }
}

/** Definitions and policies can hold secrets: other users never read them. A group keeps the access that it had. */
async function modeOf(target: string): Promise<number> {
  const known = await stat(target).catch(() => undefined)
  return known === undefined ? 0o600 : (known.mode & 0o770) | 0o600
}
