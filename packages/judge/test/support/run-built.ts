/** The built command as a process of its own. Needs `npm run build` before. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Judged } from './small-gateway.ts'

const bin = fileURLToPath(new URL('../../bin/judge.js', import.meta.url))

/** Runs `judge ARGS`; resolves when it has ended. */
export function runBuilt(...args: readonly string[]): Promise<Judged> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], { maxBuffer: 64 << 20 }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}
