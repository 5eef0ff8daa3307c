/** Other proxies compared with nginx in the same run, to put the gateway's ratios into context. */
import type { Row } from '../report/table.ts'
import { startNginx } from '../subjects/nginx.ts'
import { startNodeProxy, startOther, withPlainUpstream } from '../subjects/programs.ts'
import { type Contestant, compare, rowOfRatio, shapeOf } from './compare.ts'

export async function measureReferences(
  rounds: number,
  quick: boolean,
  other: string | undefined,
  log: (text: string) => void,
): Promise<Row[]> {
  return withPlainUpstream(async (url) => {
    const contestants: Contestant[] = [
      { name: 'node:http with undici', start: () => startNodeProxy(url), path: '/plain' },
      ...(other === undefined
        ? []
        : [{ name: other.split(' ')[0] ?? other, start: () => startOther(other, url), path: '/plain' }]),
    ]
    const nginx: Contestant = { name: 'nginx', start: () => startNginx(url), path: '/plain' }
    const rows: Row[] = []
    for (const contestant of contestants) {
      const compared = await compare(contestant, nginx, rounds, shapeOf(quick), log)
      rows.push(rowOfRatio(`${contestant.name}, CPU per request`, compared, undefined, 'nginx '))
    }
    return rows
  })
}
