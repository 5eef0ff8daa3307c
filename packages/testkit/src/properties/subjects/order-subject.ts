/**
 * Subject of property 16: one request to an API that uses every stage that can end or count a request, with chosen
 * obstacles. `engineOrder` makes a subject of the engine.
 */
import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import type { StageOrder } from '@turnpike/core/pipeline'
import { defaultSettings, type Counter as LimitCounter, type Store, type StoredResponse } from '@turnpike/core/ports'
import { type Counter, charges, type Obstacle, type Read } from '../pipeline-obstacles.ts'
import { makeTestEngine, type OpenStore, testDefinition } from './test-engine.ts'

/** Result of the request. */
export interface OrderResult {
  /** Status, a space, and the message or body: `403 Quota exceeded`. */
  readonly answer: string
  /** Increase of each counter. */
  readonly charged: Readonly<Record<Counter, number>>
  readonly read: Readonly<Record<Read, number>>
}

export interface OrderSubject {
  readonly name: string
  /** Sends the request through a new gateway with these obstacles. */
  ask(present: ReadonlySet<Obstacle>): Promise<OrderResult>
}

/** Each counter has a limit of its own, so that the limit identifies the counter. */
const rates = { 'rate of the organisation': 11, 'rate of the key': 12, 'rate of the API': 13 } as const
const quotas = { 'quota of the organisation': 14, 'quota of the key': 15 } as const
const entriesOf = <T extends object>(table: T) => Object.entries(table) as [keyof T & Counter, number][]

/** The engine, by default with its own order of stages and a memory store. */
export function engineOrder(name: string, order?: StageOrder, open?: OpenStore): OrderSubject {
  let known: ReadonlyMap<number, LimitCounter> | undefined
  return {
    name,
    async ask(present) {
      // A request without obstacles shows which counters exist.
      known ??= (await send(new Set(), order, new Map(), open)).found
      return (await send(present, order, known, open)).seen
    },
  }
}

async function send(
  present: ReadonlySet<Obstacle>,
  order: StageOrder | undefined,
  known: ReadonlyMap<number, LimitCounter>,
  open: OpenStore | undefined,
): Promise<{ seen: OrderResult; found: ReadonlyMap<number, LimitCounter> }> {
  const found = new Map<number, LimitCounter>()
  const read: Record<Read, number> = { 'reads of the key': 0, 'reads of the cache': 0, 'calls of the upstream': 0 }
  const started = await makeTestEngine({
    definitions: [definitionWith(present)],
    open,
    keys: { org1lawkey: keyWith(present) },
    orgs: { org1: orgWith(present) },
    settings: { limits: { ...defaultSettings.limits, enforceOrgQuotas: true } },
    store: (store) => watched(store, found, read, present.has('the answer is cached')),
    script: () => (present.has('the upstream is down') ? { failure: 'refused' } : { body: 'upstream' }),
    ...(order === undefined ? {} : { order }),
  })
  const { counters } = started.store
  const standing = () => standingOf(counters, known)
  for (const [counter, of] of countersOf(known)) {
    if (charges.some((charge) => charge.counter === counter && present.has(charge.at)))
      await useUp(counters, counter, of)
  }
  const before = await standing()
  const answer = await collectResponse(await started.engine.handle(requestWith(present)))
  const after = await standing()
  const charged = Object.fromEntries(
    charges.map(({ counter }) => [counter, (after[counter] ?? 0) - (before[counter] ?? 0)]),
  ) as Record<Counter, number>
  read['calls of the upstream'] = started.upstream.requests.length
  const message = answer.text().startsWith('{') ? answer.json<{ error: string }>().error : answer.text()
  return { seen: { answer: `${answer.status} ${message}`, charged, read }, found }
}

function definitionWith(present: ReadonlySet<Obstacle>) {
  const rule = { path: '/x', method: 'POST' }
  const when = <T>(obstacle: Obstacle, value: T) => (present.has(obstacle) ? [value] : [])
  const extendedPaths = {
    mock_response: when('a mock answers', { ...rule, code: 200, body: 'mocked', headers: {} }),
    black_list: when('the path is blocked', rule),
    size_limits: [{ ...rule, size_limit: present.has('the body is too large') ? 1 : 1000 }],
    validate_json: [{ ...rule, schema: { type: 'object', required: ['name'] } }],
    method_transforms: [{ ...rule, to_method: present.has('the method cannot be changed') ? 'NONE' : 'PUT' }],
    advance_cache_config: [rule],
  }
  return testDefinition('order-api', {
    expiration: present.has('the API has expired') ? '2020-01-01 00:00' : '',
    enable_ip_whitelisting: true,
    allowed_ips: ['192.0.2.1'],
    global_rate_limit: { rate: rates['rate of the API'], per: 60 },
    cache_options: { enable_cache: true, cache_timeout: 60 },
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: extendedPaths } },
    },
  })
}

function keyWith(present: ReadonlySet<Obstacle>) {
  const api = present.has('the key does not open the API') ? 'another' : 'order-api'
  const url = present.has('the key does not open the path') ? '/another' : '/x'
  return {
    org_id: 'org1',
    rate: rates['rate of the key'],
    per: 60,
    quota_max: quotas['quota of the key'],
    quota_renewal_rate: 3600,
    is_inactive: present.has('the key is inactive'),
    expires: present.has('the key has expired') ? 1 : 0,
    access_rights: { [api]: { api_id: api, allowed_urls: [{ url, methods: ['POST'] }] } },
  }
}

function orgWith(present: ReadonlySet<Obstacle>) {
  return {
    org_id: 'org1',
    rate: rates['rate of the organisation'],
    per: 60,
    quota_max: quotas['quota of the organisation'],
    quota_renewal_rate: 3600,
    is_inactive: present.has('the organisation is switched off'),
  }
}

function requestWith(present: ReadonlySet<Obstacle>) {
  return makeInjectedRequest({
    method: 'POST',
    url: '/order-api/x',
    headers: present.has('there is no key') ? {} : { authorization: 'lawkey' },
    body: present.has('the body breaks its schema') ? '{}' : '{"name":"property"}',
    remoteAddress: present.has('the address is not allowed') ? '192.0.2.9' : '192.0.2.1',
  })
}

const cached: StoredResponse = {
  status: 200,
  headers: [],
  body: new TextEncoder().encode('cached'),
  bodyLength: undefined,
  etag: undefined,
}

/** Wraps a store: records the counter of each limit, counts reads, and returns a cached response if `isCached`. */
function watched(store: Store, found: Map<number, LimitCounter>, read: Record<Read, number>, isCached: boolean): Store {
  const { counters, sessions, responses } = store
  return {
    ...store,
    counters: {
      ...counters,
      consume(counter, amount) {
        if (counter.rate !== undefined) found.set(counter.rate.rate, counter)
        if (counter.quota !== undefined) found.set(counter.quota.max, counter)
        return counters.consume(counter, amount)
      },
    },
    sessions: {
      ...sessions,
      find(name) {
        read['reads of the key'] += 1
        return sessions.find(name)
      },
    },
    responses: {
      ...responses,
      get(apiId, name) {
        read['reads of the cache'] += 1
        return isCached ? cached : responses.get(apiId, name)
      },
    },
  }
}

function countersOf(found: ReadonlyMap<number, LimitCounter>): [Counter, LimitCounter][] {
  return [...entriesOf(rates), ...entriesOf(quotas)].flatMap(([counter, limit]) => {
    const of = found.get(limit)
    return of === undefined ? [] : [[counter, of] as [Counter, LimitCounter]]
  })
}

async function useUp(counters: Store['counters'], counter: Counter, of: LimitCounter): Promise<void> {
  if (counter in rates) await counters.consume({ ...of, quota: undefined }, rates[counter as keyof typeof rates])
  else await counters.consume({ ...of, rate: undefined }, quotas[counter as keyof typeof quotas])
}

/** Returns the number of requests that each counter has counted. */
async function standingOf(counters: Store['counters'], known: ReadonlyMap<number, LimitCounter>) {
  const standing: Partial<Record<string, number>> = {}
  for (const [counter, of] of countersOf(known)) {
    if (counter in rates) {
      const { rate } = await counters.consume({ ...of, quota: undefined }, 0)
      standing[counter] = rates[counter as keyof typeof rates] - (rate?.remaining ?? 0)
    } else standing[counter] = (await counters.readQuota(of))?.used ?? 0
  }
  return standing
}
