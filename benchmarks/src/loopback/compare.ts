/** Compares two servers under the same load: alternating order, CPU time per request, medians, and a ratio per round. */
import { setTimeout as sleep } from 'node:timers/promises'
import { get } from '../measure/get.ts'
import { cpuMicros, residentBytes } from '../measure/process-cpu.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { type Spread, spreadOf } from '../measure/statistics.ts'
import { type LoadResult, load } from '../measure/wrk.ts'
import { type Row, rowOf } from '../report/table.ts'
import type { Subject } from '../subjects/subject.ts'

export interface Contestant {
  readonly name: string
  start(): Promise<Subject>
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Lua script for wrk. A function receives the number of requests already sent, so that a script can continue there. */
  readonly script?: string | ((sent: number) => string)
  /** Number of connections; overrides `LoadShape.connections`. */
  readonly connections?: number
  /** Load of another kind than requests of wrk. */
  readonly load?: (url: string, seconds: number) => Promise<LoadResult>
}

export interface Measured {
  readonly cpuMicrosPerRequest: number
  readonly requestsPerSecond: number
  readonly latency: LoadResult['latency']
  readonly residentMiB: number
}

export interface Comparison {
  readonly name: string
  readonly rounds: readonly { readonly subject: Measured; readonly reference: Measured }[]
  /** CPU per request of the subject divided by that of the reference, per round. */
  readonly ratio: Spread
  readonly subjectCpu: Spread
  readonly referenceCpu: Spread
}

export interface LoadShape {
  /** Length of one window in seconds. */
  readonly seconds: number
  /** Number of timed loads per process, one after the other. The one with the median CPU per request counts. */
  readonly windows: number
  readonly warmUpSeconds: number
  readonly connections: number
}

export const usualLoad: LoadShape = { seconds: 4, windows: 1, warmUpSeconds: 2, connections: 32 }

/** `--quick` uses shorter windows. */
export const shapeOf = (quick: boolean): LoadShape =>
  quick ? { ...usualLoad, seconds: 2, warmUpSeconds: 1 } : usualLoad

export async function compare(
  subject: Contestant,
  reference: Contestant,
  { rounds, quick, log }: RunOptions,
  shape: LoadShape = shapeOf(quick),
): Promise<Comparison> {
  const done: { subject: Measured; reference: Measured }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0
    const a = await measure(first ? subject : reference, shape)
    const b = await measure(first ? reference : subject, shape)
    const pair = first ? { subject: a, reference: b } : { subject: b, reference: a }
    done.push(pair)
    const { cpuMicrosPerRequest: mine } = pair.subject
    const { cpuMicrosPerRequest: theirs } = pair.reference
    log(`${subject.name}, round ${round + 1} of ${rounds}: ${mine.toFixed(1)} µs against ${theirs.toFixed(1)} µs`)
  }
  return {
    name: subject.name,
    rounds: done,
    ratio: spreadOf(done.map((one) => one.subject.cpuMicrosPerRequest / one.reference.cpuMicrosPerRequest)),
    subjectCpu: spreadOf(done.map((one) => one.subject.cpuMicrosPerRequest)),
    referenceCpu: spreadOf(done.map((one) => one.reference.cpuMicrosPerRequest)),
  }
}

/** A row with the ratio, and in its note both values. `reference`: its name with a space, or nothing. */
export function rowOfRatio(
  name: string,
  { ratio, subjectCpu, referenceCpu }: Comparison,
  budget: number | undefined,
  reference: '' | 'nginx ' | 'undici ',
  ...more: readonly string[]
): Row {
  const note = [
    `${subjectCpu.median.toFixed(1)} µs against ${reference}${referenceCpu.median.toFixed(1)} µs`,
    `ratios ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
    ...more,
  ]
  return rowOf(name, ratio, '×', budget, note.join(', '))
}

/** Waits until the process is idle, for example after it has read its keys. Gives up after a minute. */
export async function waitUntilIdle(pid: number): Promise<void> {
  for (let before = cpuMicros(pid), waits = 0; waits < 150; waits++) {
    await sleep(400)
    const now = cpuMicros(pid)
    if (now - before < 20_000) return
    before = now
  }
}

/** Starts a fresh process, checks one response, warms it up, and measures it under load. */
export async function measure(contestant: Contestant, shape: LoadShape): Promise<Measured> {
  const subject = await contestant.start()
  try {
    const headers = contestant.headers ?? {}
    const url = subject.url + contestant.path
    const { status, text } = await get(url, headers)
    if (status !== 200) throw new Error(`${contestant.name} responded with ${status} ${text}`)
    await waitUntilIdle(subject.pid)
    const connections = contestant.connections ?? shape.connections
    let sent = 0
    const loadFor = async (seconds: number): Promise<LoadResult> => {
      const { script = '' } = contestant
      if (contestant.load !== undefined) return contestant.load(url, seconds)
      const result = await load({
        url,
        headers,
        connections,
        seconds,
        script: typeof script === 'string' ? script : script(sent),
      })
      sent += result.requests
      return result
    }
    await loadFor(shape.warmUpSeconds)
    const windows: Measured[] = []
    for (let window = 0; window < shape.windows; window++) {
      windows.push(await measureWindow(contestant.name, subject.pid, shape.seconds, () => loadFor(shape.seconds)))
    }
    return middleOf(windows)
  } finally {
    await subject.stop()
  }
}

/** Measures a process under one load. Throws if a request failed. `name`: for messages. */
export async function measureWindow(
  name: string,
  pid: number,
  seconds: number,
  run: () => Promise<LoadResult>,
): Promise<Measured> {
  await sleep(100)
  const before = cpuMicros(pid)
  const { requests, failed, latency } = await run()
  const cpu = cpuMicros(pid) - before
  if (failed > 0) throw new Error(`${name}: ${failed} of ${requests} requests failed`)
  return {
    cpuMicrosPerRequest: cpu / requests,
    requestsPerSecond: requests / seconds,
    latency,
    residentMiB: residentBytes(pid) / 2 ** 20,
  }
}

function middleOf(windows: readonly Measured[]): Measured {
  const sorted = windows.toSorted((a, b) => a.cpuMicrosPerRequest - b.cpuMicrosPerRequest)
  return sorted[sorted.length >> 1] as Measured
}
