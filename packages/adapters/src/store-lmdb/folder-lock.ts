/**
 * Allows one process per data folder, because two processes would count quotas separately. The lock is a file that names
 * its holder. The lock of a dead holder is taken over, so that a killed process needs no cleanup.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

interface Holder {
  readonly pid: number
  /** Start time of the process, which distinguishes processes with a reused pid; empty if the system does not provide it. */
  readonly bornAt: string
  readonly host: string
}

/** Another process holds the lock. */
export class FolderInUse extends Error {}

/** Interval at which the holder touches the lock file, for other hosts, which cannot check its pid. */
const beatMs = 3000
const deadAfterMs = 10_000

const heldHere = new Set<string>()

/** Locks the folder for this process and returns the function that unlocks it. Throws `FolderInUse`. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'turnpike.lock')
  if (heldHere.has(file)) throw new FolderInUse(`the data folder is already open in this process: ${fix}`)
  const own: Holder = { pid: process.pid, bornAt: birthOf(process.pid), host: hostname() }
  const text = JSON.stringify(own)
  for (let tries = 0; !create(file, text); tries++) {
    const found = read(file)
    if (found !== undefined) {
      const living = livingHolder(file, found)
      if (living !== undefined) throw new FolderInUse(`the data folder is in use by ${living}: ${fix}`)
      takeAway(file, found)
    }
    if (tries === 10) throw new FolderInUse(`the data folder is being locked by another process: ${fix}`)
  }
  heldHere.add(file)
  const beat = setInterval(() => touch(file), beatMs)
  beat.unref()
  return () => {
    if (!heldHere.delete(file)) return
    clearInterval(beat)
    if (read(file) === text) rmSync(file, { force: true })
  }
}

const fix = 'stop it, or set another folder in "data_path"'

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns the holder that the lock names, if it is alive. */
function livingHolder(file: string, text: string): string | undefined {
  const holder = parse(text)
  if (holder === undefined) return undefined
  if (holder.host !== hostname()) {
    return ageOf(file) < deadAfterMs ? `process ${holder.pid} on host ${holder.host}` : undefined
  }
  // The lock names our pid although we do not hold it: an earlier container left it, whose process had the same pid.
  if (holder.pid === process.pid || !isAlive(holder.pid)) return undefined
  return birthOf(holder.pid) === holder.bornAt ? `process ${holder.pid}` : undefined
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, bornAt, host } = JSON.parse(text) as Partial<Holder>
    return Number.isInteger(pid) ? { pid: pid as number, bornAt: String(bornAt), host: String(host) } : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Start time of a process in clock ticks. It is parsed after the last parenthesis, because the process name can contain any character. */
function birthOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`) ?? ''
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function touch(file: string): void {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // If the folder was removed, writes report it.
  }
}

// If several processes find the same dead lock, one renames it. A process that renamed a live lock restores it.
function takeAway(file: string, dead: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (read(aside) !== dead) linkSync(aside, file)
  } catch {
    // Another process was faster. The next attempt finds its lock.
  }
  rmSync(aside, { force: true })
}
