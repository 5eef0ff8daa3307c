/**
 * One process per data folder: two would count each quota on its own. The lock is a file that names its holder; one
 * whose holder is dead is taken over, so that a killed process leaves nothing to clean up.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

interface Holder {
  readonly pid: number
  /** Tells processes apart that had the same number one after the other; empty where the system does not tell. */
  readonly bornAt: string
  readonly host: string
}

/** Says that another process holds the folder. */
export class FolderInUse extends Error {}

/** How often the holder shows that it lives, for those on other hosts who cannot ask for its process. */
const beatMs = 3000
const deadAfterMs = 10_000

const heldHere = new Set<string>()

/** Takes the folder for this process and returns how to give it back. Throws `FolderInUse`. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'turnpike.lock')
  if (heldHere.has(file)) throw new FolderInUse(`the data folder is open in this process already: ${fix}`)
  const own: Holder = { pid: process.pid, bornAt: birthOf(process.pid), host: hostname() }
  const text = JSON.stringify(own)
  for (let tries = 0; !create(file, text); tries++) {
    const found = read(file)
    if (found !== undefined) {
      const living = livingHolder(file, found)
      if (living !== undefined) throw new FolderInUse(`the data folder is in use by ${living}: ${fix}`)
      takeAway(file, found)
    }
    if (tries === 10) throw new FolderInUse(`the data folder is being taken by another process: ${fix}`)
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

const fix = 'stop that one, or name another folder in "data_path"'

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
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

/** Whom the lock names, if he lives. */
function livingHolder(file: string, text: string): string | undefined {
  const holder = parse(text)
  if (holder === undefined) return undefined
  if (holder.host !== hostname()) {
    return ageOf(file) < deadAfterMs ? `process ${holder.pid} on host ${holder.host}` : undefined
  }
  // Our own number means a namespace that began anew, as in a container that was started again.
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

/** Start time of a process in the system's ticks; behind the last bracket, since a name may hold anything. */
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
    // A folder that went away is told by the writes that fail.
  }
}

// Of several who find the same dead lock one renames it; who renamed a living one instead puts it back.
function takeAway(file: string, dead: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (read(aside) !== dead) linkSync(aside, file)
  } catch {
    // Another was faster; the next try tells.
  }
  rmSync(aside, { force: true })
}
