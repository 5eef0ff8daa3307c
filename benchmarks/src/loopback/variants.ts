/**
 * The same request with other settings: both front ends, one and two workers, small and large bodies. nginx handles the
 * same body with the same upstream in each comparison, so the kernel's cost of the body is part of both figures.
 */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingTools } from '../measure/missing-tools.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startNginx } from '../subjects/nginx.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import type { Subject } from '../subjects/subject.ts'
import { startOverRedis, startTurnpike } from '../subjects/turnpike.ts'
import { type Contestant, compare, rowOfRatio } from './compare.ts'

interface Variant {
  readonly name: string
  readonly config?: object
  readonly script?: string
  /** Several workers share their state over Redis. */
  readonly overRedis?: boolean
}

const bodyScript = (bytes: number) => `wrk.method = 'POST'
wrk.body = string.rep('x', ${bytes})`

const variants: readonly Variant[] = [
  { name: 'keyless, front end http1', config: { front_end: 'http1' } },
  { name: 'keyless, front end uws', config: { front_end: 'uws' } },
  { name: 'keyless, front end node', config: { front_end: 'node' } },
  { name: 'keyless over Redis, 1 worker', overRedis: true },
  { name: 'keyless over Redis, 2 workers', config: { workers: 2 }, overRedis: true },
  { name: 'body of 100 B', script: bodyScript(100) },
  { name: 'body of 10 KiB', script: bodyScript(10 * 1024) },
  { name: 'body of 1 MiB', script: bodyScript(1024 * 1024) },
]

export async function measureVariants(options: RunOptions): Promise<Row[]> {
  const hasRedis = missingTools(['redis-server']).length === 0
  return withPlainUpstream(async (upstream) => {
    const rows: Row[] = []
    for (const variant of variants.filter(({ overRedis = false }) => hasRedis || !overRedis)) {
      const script = variant.script === undefined ? {} : { script: variant.script }
      const subject: Contestant = {
        name: variant.name,
        start: () => startVariant(variant, upstream),
        path: '/a0/plain',
        ...script,
      }
      const nginx: Contestant = { name: 'nginx', start: () => startNginx(upstream), path: '/plain', ...script }
      const compared = await compare(subject, nginx, options)
      const rate = spreadOf(compared.rounds.map((round) => round.subject.requestsPerSecond)).median
      rows.push(
        rowOfRatio(`${variant.name}, CPU per request`, compared, undefined, 'nginx ', `${Math.round(rate)} a second`),
      )
    }
    return rows
  })
}

async function startVariant({ config = {}, overRedis = false }: Variant, upstream: string): Promise<Subject> {
  const apis = [definition('a0', upstream)]
  if (!overRedis) return startTurnpike({ apis, config })
  return startOverRedis(async (storage) => {
    const subject = await startTurnpike({ apis, config: { ...config, storage } })
    await everyWorkerServes(`${subject.url}/a0/plain`).catch(async (cause) => {
      await subject.stop()
      throw cause
    })
    return subject
  })
}

/** Workers become ready one after the other, so this many consecutive new connections must succeed first. */
async function everyWorkerServes(url: string): Promise<void> {
  for (let inARow = 0, tried = 0; inARow < 30; tried++) {
    if (tried > 2000) throw new Error(`not every worker serves ${url}`)
    inARow = (await statusOnNewConnection(url)) === 200 ? inARow + 1 : 0
    if (inARow === 0) await sleep(20)
  }
}

function statusOnNewConnection(url: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    request.on('error', () => resolve(0))
  })
}
