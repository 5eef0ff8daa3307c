/**
 * CPU time of every kind of HTTP traffic in the gateway, nginx, HAProxy and a bare server on node:net, in turned order in
 * the same run, and the memory of idle connections.
 */
import { type Contestant, type Measured, measure, shapeOf } from '../loopback/compare.ts'
import { isSelected } from '../measure/is-selected.ts'
import { missingTools } from '../measure/missing-tools.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf, unmeasured } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startHaproxy } from '../subjects/haproxy.ts'
import { startNginx } from '../subjects/nginx.ts'
import { startBareServer, withPlainUpstream } from '../subjects/programs.ts'
import { makeTlsFiles, type TlsFiles } from '../subjects/tls-files.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import { measureIdle } from './idle-connections.ts'
import { type HttpKind, httpKinds, idleName } from './kinds.ts'

export const httpNames = () => [...httpKinds.map(({ name }) => name), idleName]

export async function measureHttp(options: RunOptions): Promise<Row[]> {
  const missing = missingTools(['haproxy', 'openssl'])
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} not installed`)
  const tls = makeTlsFiles()
  try {
    return await withPlainUpstream(async (upstream) => {
      const rows: Row[] = []
      for (const kind of httpKinds.filter(({ name }) => isSelected(name, options.scenario))) {
        try {
          rows.push(await measureKind(kind, upstream, tls, options))
        } catch (cause) {
          // The other kinds are still to be measured.
          options.log(String(cause))
          const { name, budget } = kind
          const why = String(cause).split('\n')[0] ?? ''
          const row = unmeasured(name, budget === undefined ? '' : `≤ ${budget.most}×`, why)
          rows.push(budget === undefined ? { ...row, verdict: '' } : row)
        }
      }
      if (isSelected(idleName, options.scenario)) rows.push(await measureIdle(upstream, options))
      return rows
    })
  } finally {
    tls.remove()
  }
}

async function measureKind(kind: HttpKind, upstream: string, tls: TlsFiles, options: RunOptions): Promise<Row> {
  const contestants = contestantsOf(kind, upstream, kind.tls === true ? tls : undefined)
  const results = new Map(contestants.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < options.rounds; round++) {
    // Another one begins in each round, so that none always follows the same one.
    const turned = contestants.map((_, i) => contestants[(i + round) % contestants.length] as Contestant)
    for (const one of turned) results.get(one.name)?.push(costOf(await measure(one, shapeOf(options.quick))))
    const shown = contestants.map(({ name }) => `${name} ${results.get(name)?.at(-1)?.toFixed(1)}`)
    options.log(`${kind.name}, round ${round + 1} of ${options.rounds}: ${shown.join(', ')} µs`)
  }
  return rowOfKind(kind, results)
}

const costOf = ({ cpuMicrosPerRequest }: Measured) => cpuMicrosPerRequest
const gateway = 'gateway'

function contestantsOf(kind: HttpKind, upstream: string, tls: TlsFiles | undefined): Contestant[] {
  const { path = '/plain', load = {}, notBare } = kind
  const servers: Contestant[] = [
    {
      name: gateway,
      start: () => startTurnpike({ apis: [definition('a0', upstream)], tls }),
      path: `/a0${path}`,
      ...load,
    },
    { name: 'nginx', start: () => startNginx(upstream, { tls }), path, ...load },
    { name: 'HAProxy', start: () => startHaproxy(upstream, tls), path, ...load },
  ]
  return notBare === undefined
    ? [...servers, { name: 'net server', start: () => startBareServer(tls), path, ...load }]
    : servers
}

/** The ratio is that of the budget, otherwise to nginx. */
function rowOfKind({ name, unit, budget, notBare }: HttpKind, results: ReadonlyMap<string, readonly number[]>): Row {
  const of = budget?.of ?? 'nginx'
  const theirs = results.get(of) ?? []
  const ratio = spreadOf((results.get(gateway) ?? []).map((mine, i) => mine / (theirs[i] ?? Number.NaN)))
  const costs = [...results].map(([who, values]) => `${who} ${spreadOf(values).median.toFixed(1)} µs`)
  const note = [
    `beside ${of}, ratios ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
    ...costs,
    ...(notBare === undefined ? [] : [`a bare server ${notBare}`]),
  ]
  return rowOf(`${name}, CPU per ${unit}`, ratio, '×', budget?.most, note.join(', '))
}
