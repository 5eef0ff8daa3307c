/**
 * Time from process start to the first proxied response, with few and with many APIs, and resident memory at that
 * moment. A bare Node server is measured in the same run, because the start of Node itself is part of both figures.
 */
import { cpuMicros, residentBytes } from '../measure/process-cpu.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startPlainUpstream } from '../subjects/programs.ts'
import { startTurnpike } from '../subjects/turnpike.ts'

const many = 1000

export interface Started {
  readonly ms: number
  readonly cpuMs: number
  readonly mib: number
  readonly loadMs: number
}

export async function measureStartUp({ rounds, log }: RunOptions): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const few: Started[] = []
  const grown: Started[] = []
  const bare: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const one = async () => few.push(await startOnce(upstream.url, 1))
      const all = async () => grown.push(await startOnce(upstream.url, many))
      for (const start of round % 2 === 0 ? [one, all] : [all, one]) await start()
      const plain = await startPlainUpstream()
      bare.push(plain.firstAnswerMs)
      await plain.stop()
      log(`start, round ${round + 1} of ${rounds}: ${few.at(-1)?.ms.toFixed(0)} ms to the first response`)
    }
  } finally {
    await upstream.stop()
  }
  const startOf = (runs: readonly Started[]) => spreadOf(runs.map(({ ms }) => ms))
  const noteOf = (runs: readonly Started[]) => {
    const { min, max } = startOf(runs)
    const cpu = spreadOf(runs.map(({ cpuMs }) => cpuMs)).median
    return `${min.toFixed(0)}–${max.toFixed(0)} ms, ${cpu.toFixed(0)} ms of CPU`
  }
  const ratio = spreadOf(few.map(({ ms }, round) => ms / (bare[round] ?? Number.NaN)))
  const node = `a bare Node server ${spreadOf(bare).median.toFixed(0)} ms`
  const first = `${startOf(few).median.toFixed(0)} ms (${noteOf(few)}), ${node}`
  const load = spreadOf(grown.map(({ loadMs }) => loadMs))
  const memory = spreadOf(grown.map(({ mib }) => mib))
  return [
    rowOf('first response after the start', ratio, '×', 3.5, first),
    rowOf(`first response with ${many} APIs`, startOf(grown), ' ms', undefined, noteOf(grown)),
    rowOf(`cold load of ${many} definitions`, load, ' ms', undefined, `from files, ${load.min}–${load.max} ms`),
    rowOf(`memory with ${many} APIs`, memory, ' MiB', 120, `resident, at most ${memory.max.toFixed(1)} MiB`),
  ]
}

/** `checkout`: a built checkout of another commit. */
export async function startOnce(upstream: string, count: number, checkout?: string): Promise<Started> {
  const apis = Array.from({ length: count }, (_, i) => definition(`a${i}`, upstream))
  const subject = await startTurnpike({ apis, probe: '/a0/plain', checkout })
  try {
    const cpuMs = cpuMicros(subject.pid) / 1000
    const mib = residentBytes(subject.pid) / 2 ** 20
    const { duration_ms: loadMs } = (await subject.manage('GET', '/svc/reload/report')) as { duration_ms: number }
    return { ms: subject.firstAnswerMs, cpuMs, mib, loadMs }
  } finally {
    await subject.stop()
  }
}
