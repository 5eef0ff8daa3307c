/**
 * The gateway beside proxies that are installed, on the same upstream and in the same run: without a key, and with a key
 * and a rate limit. Proxies that are not installed are named.
 */
import { type LoadShape, measureWindow, shapeOf, waitUntilIdle } from '../loopback/compare.ts'
import { isSelected } from '../measure/is-selected.ts'
import { pacedLoad } from '../measure/paced-load.ts'
import { residentBytesOfAll } from '../measure/process-cpu.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { load } from '../measure/wrk.ts'
import { type Row, rowOf } from '../report/table.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { proxies } from './proxies.ts'
import { headersOf, type Mode, modes, type ProxySubject, startProxy } from './proxy.ts'

/** Requests per second for latency: far below saturation for each proxy. */
export const pacedPerSecond = 1000

interface Figures {
  readonly cpuMicros: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly memoryMiB: number
}

const metrics = [
  { of: 'cpuMicros', name: 'CPU per request', unit: ' µs' },
  { of: 'perSecond', name: 'requests per second', unit: '/s' },
  { of: 'p50Ms', name: `p50 at ${pacedPerSecond} a second`, unit: ' ms' },
  { of: 'p99Ms', name: `p99 at ${pacedPerSecond} a second`, unit: ' ms' },
  { of: 'memoryMiB', name: 'memory', unit: ' MiB' },
] as const satisfies readonly { readonly of: keyof Figures; readonly name: string; readonly unit: string }[]

export const proxyNames = () => proxies.map(({ name }) => name)

export async function measureSideBySide({ rounds, quick, log, scenario }: RunOptions): Promise<Row[]> {
  const wanted = proxies.filter(({ name }) => isSelected(name, scenario))
  const found = wanted.filter((proxy) => proxy.version() !== undefined)
  const rows: Row[] = []
  await withPlainUpstream(async (upstream) => {
    for (const mode of modes) {
      const measured = new Map(found.map(({ name }) => [name, [] as Figures[]]))
      for (let round = 0; round < rounds; round++) {
        for (const proxy of turn(found, round)) {
          const figures = await measureProxy(proxy, upstream, mode, shapeOf(quick))
          measured.get(proxy.name)?.push(figures)
          const text = `${figures.cpuMicros.toFixed(1)} µs, ${Math.round(figures.perSecond)} a second`
          log(`${mode}, round ${round + 1} of ${rounds}: ${proxy.name} ${text}`)
        }
      }
      for (const proxy of found) rows.push(...rowsOf(proxy, mode, measured.get(proxy.name) ?? []))
    }
  })
  return [...rows, ...wanted.filter((proxy) => !found.includes(proxy)).map(rowOfMissing)]
}

/** Another proxy begins in each round, and every second round has the reverse order. */
function turn(all: readonly ProxySubject[], round: number): readonly ProxySubject[] {
  const first = round % Math.max(1, all.length)
  const turned = [...all.slice(first), ...all.slice(0, first)]
  return round % 2 === 0 ? turned : turned.reverse()
}

async function measureProxy(proxy: ProxySubject, upstream: string, mode: Mode, shape: LoadShape): Promise<Figures> {
  const subject = await startProxy(proxy, upstream, mode)
  try {
    const headers = headersOf(mode)
    const url = `${subject.url}/plain`
    await expectStatuses(proxy.name, url, mode)
    await waitUntilIdle(subject.pid)
    const { connections, seconds } = shape
    await load({ url, headers, connections, seconds: shape.warmUpSeconds })
    const measured = await measureWindow(`${proxy.name}, ${mode}`, subject.pid, seconds, () =>
      load({ url, headers, connections, seconds }),
    )
    const memoryMiB = residentBytesOfAll(subject.pid) / 2 ** 20
    const { latency } = await pacedLoad({ url, headers, connections, perSecond: pacedPerSecond, seconds })
    return {
      cpuMicros: measured.cpuMicrosPerRequest,
      perSecond: measured.requestsPerSecond,
      p50Ms: latency.p50,
      p99Ms: latency.p99,
      memoryMiB,
    }
  } finally {
    await subject.stop()
  }
}

/** A proxy that lets requests without a key pass would do less work than the others. */
async function expectStatuses(name: string, url: string, mode: Mode): Promise<void> {
  const statusOf = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    return response.status
  }
  const status = await statusOf(headersOf(mode))
  if (status !== 200) throw new Error(`${name}, ${mode}: answered ${status}`)
  const without = mode === 'limited' ? await statusOf({}) : 0
  if (without === 200) throw new Error(`${name}, ${mode}: a request without a key passed`)
}

function rowsOf({ name, version }: ProxySubject, mode: Mode, figures: readonly Figures[]): Row[] {
  return metrics.map((metric) => {
    const spread = spreadOf(figures.map((one) => one[metric.of]))
    const note = `${spread.min.toFixed(1)}–${spread.max.toFixed(1)}`
    const tags = { proxy: name, version: version() ?? '', mode, metric: metric.of }
    return { ...rowOf(`${mode}, ${name}: ${metric.name}`, spread, metric.unit, undefined, note), tags }
  })
}

function rowOfMissing({ name }: ProxySubject): Row {
  const tags = { proxy: name, version: '' }
  return { name, measured: 'not installed', note: '', budget: '', verdict: '', tags }
}
