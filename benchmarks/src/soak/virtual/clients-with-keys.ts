/** Clients with keys: a rate, a quota that renews, and keys that expire. */
import { orgId, rights } from './soaked-node.ts'
import type { SoakClient, SoakResponse, TrafficServices } from './traffic.ts'

const roomy = { rate: 1e6, per: 1, quota_max: -1 }

/** Creates a key again after a failure, such as an outage of the store. */
function makeKey({ node, problems }: TrafficServices, id: string, session: object): () => Promise<string | undefined> {
  let key: string | undefined
  return async () => {
    if (key !== undefined) return key
    try {
      key = (await node.gateway().keys.create({ org_id: orgId, ...session }, { id })).key
    } catch (cause) {
      if (!String(cause).includes('store')) problems.add('keys', String(cause))
    }
    return key
  }
}

const rate = 5
const perSeconds = 10

/** Bursts of eight on a rate of five in ten seconds, every 25 s: five are admitted each time. */
export function makeBurstClient(services: TrafficServices): SoakClient {
  const { requests, conditions, problems } = services
  const key = makeKey(services, 'bursts', { rate, per: perSeconds, quota_max: -1, access_rights: rights('keyed') })
  const burst = async () => {
    const credential = await key()
    if (credential === undefined || conditions.isDisturbed()) return
    const ask = { url: '/keyed/burst', headers: { authorization: credential } }
    const responses = await Promise.all(Array.from({ length: 8 }, () => requests.send(ask)))
    const admitted = responses.filter((one) => one?.status === 200).length
    const rejected = responses.filter((one) => one?.status === 429).length
    if (admitted > rate) problems.add('rate', `${admitted} of 8 admitted on ${rate} in ${perSeconds} s`)
    if (!conditions.isDisturbed() && (admitted !== rate || rejected !== 8 - rate))
      problems.add('rate', `${admitted} admitted and ${rejected} rejected of 8 on ${rate} in ${perSeconds} s`)
  }
  return {
    name: 'bursts on a rate',
    tick(second) {
      if (second % 25 === 7) void burst()
    },
  }
}

const quotaMax = 60
const quotaSeconds = 600

/** Twice the quota, evenly. A period begins with its first counted request, and admits exactly the quota. */
export function makeQuotaClient(services: TrafficServices): SoakClient {
  const { clock, requests, problems } = services
  const limits = { rate: 1e6, per: 1, quota_max: quotaMax, quota_renewal_rate: quotaSeconds }
  const key = makeKey(services, 'quota', { ...limits, access_rights: rights('keyed') })
  let renewsAt = 0
  let used = 0
  const judge = (response: SoakResponse | undefined, sentAt: number) => {
    // Without a response, or without the store, the request may or may not have been counted.
    if (response === undefined || response.status >= 500) {
      used = Number.NaN
      return
    }
    if (sentAt >= renewsAt) {
      renewsAt = sentAt + quotaSeconds * 1000
      used = 0
    }
    used += 1
    const expected = used <= quotaMax ? 200 : 403
    if (!Number.isNaN(used) && response.status !== expected)
      problems.add('quota', `request ${used} of a period got ${response.status}, where ${expected} was expected`)
  }
  const ask = async () => {
    const credential = await key()
    if (credential === undefined) return
    const sentAt = clock.now()
    judge(await requests.send({ url: '/keyed/quota', headers: { authorization: credential } }), sentAt)
  }
  return {
    name: 'a quota that renews',
    tick(second) {
      if (second % 5 === 0) void ask()
    },
  }
}

/** A new key every 20 s, which expires after one to five minutes. It is used before and after, then removed. */
export function makeShortLivedKeys(services: TrafficServices): SoakClient {
  const { clock, node, requests, conditions, problems } = services
  const live = async (second: number) => {
    const seconds = 60 + (second % 240)
    const expires = Math.floor(clock.now() / 1000) + seconds
    const session = { ...roomy, expires, access_rights: rights('keyed') }
    const credential = await makeKey(services, `short-${second}`, session)()
    if (credential === undefined) return
    const use = async (expected: number) => {
      const response = await requests.send({ url: '/keyed/short', headers: { authorization: credential } })
      if (response === undefined || conditions.isDisturbed() || response.status === expected) return
      problems.add('expiry', `a key of ${seconds} s got ${response.status}, where ${expected} was expected`)
    }
    clock.after((seconds - 5) * 1000, () => void use(200))
    clock.after((seconds + 5) * 1000, () => void use(401))
    clock.after((seconds + 60) * 1000, () => void remove(credential))
  }
  const remove = async (credential: string) => {
    try {
      await node.gateway().keys.remove(credential, { orgId })
    } catch {
      // Without the store; again a minute later.
      clock.after(60_000, () => void remove(credential))
    }
  }
  return {
    name: 'keys that expire',
    tick(second) {
      if (second % 20 === 11) void live(second)
    },
  }
}
