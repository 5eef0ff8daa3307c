/** A folder with a smoothed rate keeps its guarantees, and bugs seeded into its store are found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CounterStore, RateLimit, Store } from '@turnpike/core/ports'
import { loadConfig } from 'turnpike/embedding'
import { expect, it, onTestFinished } from 'vitest'
import { isExercised } from './coverage.ts'
import { allProperties } from './property-filter.ts'
import { type VerifyReport, verifyGateway } from './verify-gateway.ts'
import { verifyLines } from './verify-lines.ts'

const policy = {
  id: 'smooth',
  org_id: 'acme',
  active: true,
  rate: 8,
  per: 2,
  smoothing: { enabled: true, threshold: 3, trigger: 0.5, step: 2, delay: 3 },
  access_rights: { orders: { api_id: 'orders', versions: ['Default'] } },
}
const api = {
  name: 'orders',
  api_id: 'orders',
  org_id: 'acme',
  active: true,
  use_standard_auth: true,
  auth: { auth_header_name: 'Authorization' },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: '/orders/', target_url: 'http://upstream.test', strip_listen_path: true },
}

async function verify(limiter: string, around?: (store: Store) => Store): Promise<VerifyReport> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-smoothed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['apps', 'policies']) mkdirSync(join(folder, name))
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  write('apps/orders.json', api)
  write('policies/smooth.json', policy)
  write('gateway.json', {
    secret: 'a-key-of-your-own',
    app_path: 'apps',
    policies: { policy_path: 'policies' },
    enable_rate_limit_smoothing: true,
    [limiter]: true,
  })
  const loaded = loadConfig({ file: join(folder, 'gateway.json'), environment: {}, cwd: folder })
  const run = { seed: 1, milliseconds: 0, trials: 60, now: () => 0, today: 0 }
  return verifyGateway({
    ...{ loaded, environment: {}, seedFile: undefined, filter: allProperties, warnings: true, around },
    ...run,
  })
}

const limiters = ['enable_redis_rolling_limiter', 'enable_sentinel_rate_limiter']

it.each(limiters)('a smoothed rate is tested, and keeps its guarantee: %s', async (limiter) => {
  const report = await verify(limiter)
  expect(report.broken && verifyLines(report, '')).toBeUndefined()
  expect(report.untried).toEqual([])
  expect(report.guarantees.map(({ coverage }) => isExercised(coverage))).toEqual([true])
})

const withRate = (change: (limit: RateLimit) => RateLimit) => (store: Store) => {
  const { counters } = store
  const consume: CounterStore['consume'] = (counter, amount) =>
    counters.consume({ ...counter, rate: counter.rate && change(counter.rate) }, amount)
  return { ...store, counters: { ...counters, consume } }
}

it.each([
  ['the allowance is ignored', withRate((limit) => ({ ...limit, smoothing: undefined }))],
  [
    'the allowance changes by two steps',
    withRate((limit) => ({ ...limit, smoothing: limit.smoothing && { ...limit.smoothing, step: 4 } })),
  ],
  [
    'the allowance begins above the threshold',
    withRate((limit) => ({ ...limit, smoothing: limit.smoothing && { ...limit.smoothing, threshold: 4 } })),
  ],
])('finds a bug seeded into the store: %s', async (_, around) => {
  const report = await verify('enable_redis_rolling_limiter', around)
  expect(report.broken?.violation.sentence).toContain('policy "smooth"')
})
