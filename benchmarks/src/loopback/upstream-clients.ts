/**
 * Cost of the upstream client: the gateway with the HTTP/1.1 client of `@turnpike/upstream` compared with the gateway with
 * undici, on the same upstream. Read the ratio, because both figures include the same front end and pipeline.
 */
import type { RunOptions } from '../measure/run-options.ts'
import type { Row } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import { type Contestant, compare, rowOfRatio } from './compare.ts'

export async function measureClients(options: RunOptions): Promise<Row[]> {
  return withPlainUpstream(async (upstream) => {
    const gateway = (client: 'auto' | 'undici'): Contestant => ({
      name: `keyless, ${client === 'auto' ? 'our own client' : 'undici'}`,
      start: () => startTurnpike({ apis: [definition('a0', upstream)], config: { upstream_client: client } }),
      path: '/a0/plain',
    })
    const compared = await compare(gateway('auto'), gateway('undici'), options)
    return [rowOfRatio('our own client by undici’s, CPU per request', compared, undefined, 'undici ')]
  })
}
