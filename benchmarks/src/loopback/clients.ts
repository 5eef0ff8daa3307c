/**
 * Cost of the upstream client: the gateway with `upstream-http1` compared with the gateway with undici, on the same
 * upstream. Read the ratio, because both figures include the same front end and pipeline.
 */
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startPlainUpstream } from '../subjects/plain-upstream-process.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import { type Contestant, compare, shapeOf } from './compare.ts'

export async function measureClients(rounds: number, quick: boolean, log: (text: string) => void): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const shape = shapeOf(quick)
  const gateway = (client: 'auto' | 'undici'): Contestant => ({
    name: `keyless, ${client === 'auto' ? 'our own client' : 'undici'}`,
    start: () => startTurnpike({ apis: [definition('a0', upstream.url)], config: { upstream_client: client } }),
    path: '/a0/plain',
  })
  try {
    const { ratio, subjectCpu, referenceCpu } = await compare(gateway('auto'), gateway('undici'), rounds, shape, log)
    const note = [
      `${subjectCpu.median.toFixed(1)} µs against undici ${referenceCpu.median.toFixed(1)} µs`,
      `ratios ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
    ]
    return [rowOf('our own client by undici’s, CPU per request', ratio, '×', undefined, note.join(', '))]
  } finally {
    await upstream.stop()
  }
}
