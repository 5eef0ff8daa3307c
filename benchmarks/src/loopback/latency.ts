/** Latency at a constant rate well below saturation: percentiles without coordinated omission. */
import { type PacedResult, pacedLoad } from '../measure/paced-load.ts'
import { residentBytes } from '../measure/process-cpu.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { startNginx } from '../subjects/nginx.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { contestantOf } from './beside-nginx.ts'
import type { Contestant } from './compare.ts'
import { keyless, withKey } from './scenarios.ts'

const perSecond = 1000
const connections = 32

interface Heard extends PacedResult {
  readonly mib: number
}

export async function measureLatency({ rounds, quick, log }: RunOptions): Promise<Row[]> {
  return withPlainUpstream(async (upstream) => {
    const contestants: Contestant[] = [
      contestantOf(keyless, upstream),
      contestantOf(withKey, upstream),
      { name: 'nginx', start: () => startNginx(upstream), path: '/plain' },
    ]
    const results = contestants.map((): Heard[] => [])
    for (let round = 0; round < rounds; round++) {
      const turn = [...contestants.entries()]
      for (const [i, contestant] of round % 2 === 0 ? turn : turn.reverse()) {
        results[i]?.push(await hear(contestant, quick ? 2 : 8))
      }
      log(`latency at ${perSecond} a second, round ${round + 1} of ${rounds}`)
    }
    return contestants.map(({ name }, i) => rowOfLatency(name, results[i] ?? []))
  })
}

async function hear({ start, path, headers = {} }: Contestant, seconds: number): Promise<Heard> {
  const subject = await start()
  try {
    const load = { url: subject.url + path, perSecond, connections, headers }
    await pacedLoad({ ...load, seconds: 1 })
    const result = await pacedLoad({ ...load, seconds })
    return { ...result, mib: residentBytes(subject.pid) / 2 ** 20 }
  } finally {
    await subject.stop()
  }
}

function rowOfLatency(name: string, results: readonly Heard[]): Row {
  const median = (of: (one: Heard) => number) => spreadOf(results.map(of)).median
  const ms = (of: (one: Heard) => number) => `${median(of).toFixed(2)} ms`
  const note = [
    `p90 ${ms(({ latency }) => latency.p90)}`,
    `p99 ${ms(({ latency }) => latency.p99)}`,
    `p99.9 ${ms(({ latency }) => latency.p999)}`,
    `longest ${ms(({ latency }) => latency.max)}`,
    `${results.reduce((sum, { failed }) => sum + failed, 0)} failed`,
    `${median(({ mib }) => mib).toFixed(0)} MiB resident`,
  ]
  const p50 = spreadOf(results.map(({ latency }) => latency.p50))
  return rowOf(`${name}, median latency at ${perSecond} a second`, p50, ' ms', undefined, note.join(', '))
}
