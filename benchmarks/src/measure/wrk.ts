/** Load by wrk: closed loop, keep-alive connections. A Lua script prints the result as a JSON line. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Load {
  readonly url: string
  readonly seconds: number
  readonly connections: number
  /** Lua such as `request = function() … end`, for many paths or keys. */
  readonly script?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadResult {
  readonly requests: number
  /** Responses with a status other than 2xx, and socket errors. */
  readonly failed: number
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
}

const report = `
done = function(summary, latency)
  io.write(string.format('\\nRESULT {"requests":%d,"status":%d,"socket":%d,"p50":%d,"p99":%d,"max":%d}\\n',
    summary.requests, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
`

/** Runs wrk with one thread, so that the other core is free for the subject. Rejects if wrk is not installed. */
export async function load({ url, seconds, connections, script = '', headers = {} }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-wrk-'))
  const file = join(folder, 'load.lua')
  writeFileSync(file, script + report)
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', file, ...lines, url]
  try {
    const { stdout } = await promisify(execFile)('wrk', args)
    const line = /^RESULT (.*)$/m.exec(stdout)?.[1]
    if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`)
    const { requests, status, socket, p50, p99, max } = JSON.parse(line)
    return { requests, failed: status + socket, latency: { p50: p50 / 1000, p99: p99 / 1000, max: max / 1000 } }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
