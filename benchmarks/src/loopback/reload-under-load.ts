/**
 * Reloads 1,000 definitions, one of them changed, under load: no request may fail, and the event loop may not stall. A
 * probe in the process reports the longest stall; the longest latency that wrk sees is an upper bound for it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stall } from '../measure/process-probe.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { load } from '../measure/wrk.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startPlainUpstream } from '../subjects/programs.ts'
import { startTurnpike } from '../subjects/turnpike.ts'

export async function measureReloadUnderLoad({ quick, log }: RunOptions): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const apis = Array.from({ length: 1000 }, (_, i) => definition(`a${i}`, upstream.url))
  const subject = await startTurnpike({ apis, hasProbe: true })
  const stall = async () => (await subject.ask('sample')) as Stall
  try {
    const url = `${subject.url}/a1/plain`
    await load({ url, seconds: 2, connections: 16 })
    const seconds = quick ? 4 : 12
    const loading = load({ url, seconds, connections: 16 })
    const durations: number[] = []
    const during: Stall[] = []
    const between: Stall[] = []
    const until = Date.now() + (seconds - 1) * 1000
    await sleep(500)
    for (let revision = 1; Date.now() < until; revision++) {
      const changed = definition('a0', upstream.url, { name: `r${revision}` })
      writeFileSync(join(subject.folder, 'apps', 'a0.json'), JSON.stringify(changed))
      await stall()
      await subject.manage('GET', '/svc/reload?block=true')
      during.push(await stall())
      const report = (await subject.manage('GET', '/svc/reload/report')) as { duration_ms: number }
      durations.push(report.duration_ms)
      await sleep(200)
      between.push(await stall())
    }
    const { requests, failed, latency } = await loading
    log(`${durations.length} reloads during ${requests} requests, ${failed} failed`)
    const duration = spreadOf(durations)
    const own = spreadOf(during.map(({ ownMs }) => ownMs))
    const stallNote = [
      `worst of all reloads, median ${own.median.toFixed(1)} ms`,
      `wall time ${spreadOf(during.map(({ wallMs }) => wallMs)).max.toFixed(1)} ms`,
      `without a reload ${spreadOf(between.map(({ ownMs }) => ownMs)).max.toFixed(1)} ms`,
    ]
    return [
      rowOf(
        'reload under load, one of 1,000 changed',
        duration,
        ' ms',
        30,
        `${durations.length} reloads, longest ${duration.max} ms`,
      ),
      rowOf('longest stall of the event loop during reloads', own.max, ' ms', 20, stallNote.join(', ')),
      rowOf('requests failed during reloads', failed, '', 0, `of ${requests}`),
      rowOf('longest latency during reloads', latency.max, ' ms', undefined, `p99 ${latency.p99.toFixed(1)} ms`),
    ]
  } finally {
    await subject.stop()
    await upstream.stop()
  }
}
