/** Other proxies compared with nginx in the same run, to put the gateway's ratios into context. */
import { type Row, rowOf } from '../report/table.ts'
import { startNginx } from '../subjects/nginx.ts'
import { startNodeProxy } from '../subjects/node-proxy.ts'
import { startOther } from '../subjects/other.ts'
import { startPlainUpstream } from '../subjects/plain-upstream-process.ts'
import { type Contestant, compare, shapeOf } from './compare.ts'

export async function measureReferences(
  rounds: number,
  quick: boolean,
  other: string | undefined,
  log: (text: string) => void,
): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const { url } = upstream
  const contestants: Contestant[] = [
    { name: 'node:http with undici', start: () => startNodeProxy(url), path: '/plain' },
    ...(other === undefined
      ? []
      : [{ name: other.split(' ')[0] ?? other, start: () => startOther(other, url), path: '/plain' }]),
  ]
  const nginx: Contestant = { name: 'nginx', start: () => startNginx(url), path: '/plain' }
  try {
    const rows: Row[] = []
    for (const contestant of contestants) {
      const { ratio, subjectCpu, referenceCpu } = await compare(contestant, nginx, rounds, shapeOf(quick), log)
      const note = [
        `${subjectCpu.median.toFixed(1)} µs against nginx ${referenceCpu.median.toFixed(1)} µs`,
        `ratios ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
      ]
      rows.push(rowOf(`${contestant.name}, CPU per request`, ratio, '×', undefined, note.join(', ')))
    }
    return rows
  } finally {
    await upstream.stop()
  }
}
