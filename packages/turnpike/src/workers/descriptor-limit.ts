/** Checks that the process may open enough files and connections. Workers inherit the limit of their supervisor. */
import { readFileSync } from 'node:fs'

/** Below that, a worker runs out of descriptors with a few hundred connections, and cannot reload or write logs. */
const minDescriptors = 1024

/** Returns the problem, with a fix; `undefined` if there is none, or if the system does not provide the limit. */
export function descriptorProblem(limits: string = readLimits()): string | undefined {
  // Node raises the soft limit to the hard limit, which is the second number.
  const hard = /^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1]
  if (hard === undefined || Number(hard) >= minDescriptors) return undefined
  const fix = `raise it to at least ${minDescriptors} with ulimit -Hn, or with LimitNOFILE of systemd`
  return `a worker may only open ${hard} files and connections: ${fix}`
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
