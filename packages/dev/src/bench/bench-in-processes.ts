/**
 * Runs the benchmark in several new processes, one after the other. Each is a `turnpike bench --processes 1 --json`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandFile } from 'turnpike/embedding'
import type { BenchReport } from './bench-report.ts'
import { mergeReports } from './merge-reports.ts'

export interface ProcessOptions {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * `args` is the command line without the options that start several processes. Rejects with the last output of a
 * process that fails.
 */
export async function benchInProcesses(
  processes: number,
  args: readonly string[],
  { cwd, environment }: ProcessOptions,
  log: (text: string) => void,
): Promise<BenchReport> {
  const reports: BenchReport[] = []
  for (let i = 0; i < processes; i++) {
    log(`process ${i + 1} of ${processes}`)
    const words = [commandFile, 'bench', ...args, '--processes', '1', '--json']
    const child = spawn(process.execPath, words, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000)
      for (const line of text.trimEnd().split('\n')) log(`  ${line}`)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(complaint.trim().split('\n').at(-1) ?? 'the benchmark ended without a result')
    reports.push(JSON.parse(out) as BenchReport)
  }
  return mergeReports(reports)
}
