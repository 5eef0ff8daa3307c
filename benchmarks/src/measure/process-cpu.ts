/** CPU time and memory of a process and its children, as the kernel accounts for them (proc(5)). Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds per clock tick. USER_HZ is 100 on every Linux that Node supports. */
const tickMicros = 10_000

/** User and system time of the process and all its living descendants, in microseconds. */
export function cpuMicros(pid: number): number {
  let sum = 0
  for (const one of withDescendants(pid)) {
    const fields = statOf(one)
    if (fields !== undefined) sum += (Number(fields[11]) + Number(fields[12])) * tickMicros
  }
  return sum
}

/** User and system time of this process without its children, in microseconds. */
export function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** CPU time of the main thread of this process, in microseconds. Other threads are workers, the compiler and the collector. */
export function mainThreadMicros(): number {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1000
}

/** Resident memory of the process without its children, in bytes. */
export function residentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1] ?? 0) * 1024
}

/** Resident memory of the process and all its living descendants, in bytes. Pages that they share count several times. */
export function residentBytesOfAll(pid: number): number {
  return withDescendants(pid).reduce((sum, one) => sum + residentBytes(one), 0)
}

/** Fields of /proc/PID/stat after the process name, which may contain spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function withDescendants(root: number): number[] {
  const parentOf = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const fields = statOf(pid)
    if (fields !== undefined) parentOf.set(pid, Number(fields[1]))
  }
  const found = [root]
  for (const pid of found) {
    for (const [child, parent] of parentOf) if (parent === pid) found.push(child)
  }
  return found
}
