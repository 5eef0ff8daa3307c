/** Other proxies compared with nginx in the same run, to put the gateway's ratios into context. */
import type { RunOptions } from '../measure/run-options.ts'
import type { Row } from '../report/table.ts'
import { startNginx } from '../subjects/nginx.ts'
import { startNodeProxy, startOther, withPlainUpstream } from '../subjects/programs.ts'
import { type Contestant, compare, rowOfRatio } from './compare.ts'

export async function measureReferences(options: RunOptions): Promise<Row[]> {
  const { other } = options
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
      const compared = await compare(contestant, nginx, options)
      rows.push(rowOfRatio(`${contestant.name}, CPU per request`, compared, undefined, 'nginx '))
    }
    return rows
  })
}
