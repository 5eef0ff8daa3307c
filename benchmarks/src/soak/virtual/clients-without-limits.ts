/** Clients whose requests no limit rejects: plain ones, batches, cached responses, and clients that disconnect. */
import { makeInjectedRequest } from '@turnpike/core/engine'
import { cacheSeconds } from './soaked-node.ts'
import type { SoakClient, TrafficServices } from './traffic.ts'

const plainPerSecond = 15

/** Several requests per second; each response must come from the definitions that are served. */
export function makePlainClient({ requests, conditions, problems }: TrafficServices): SoakClient {
  return {
    name: 'plain requests',
    tick(second) {
      for (let i = 0; i < plainPerSecond; i += 1) {
        const atLeast = conditions.version()
        void requests.send({ url: `/plain/items/${(second * plainPerSecond + i) % 997}` }).then((response) => {
          if (response === undefined) return
          const version = Number(response.headers['x-version'])
          if (response.status !== 200) problems.add('plain', `status ${response.status}`)
          else if (version < atLeast) problems.add('reload', `version ${version} after version ${atLeast} was served`)
        })
      }
    },
  }
}

const batchItems = 5

/** A batch every ten seconds: one item fails upstream, and each has its own response. */
export function makeBatchClient({ requests, problems }: TrafficServices): SoakClient {
  const list = Array.from({ length: batchItems }, (_, i) => ({
    method: 'GET',
    relative_url: i === 3 ? 'broken' : `items/${i}`,
  }))
  const body = JSON.stringify({ requests: list, suppress_parallel_execution: false })
  return {
    name: 'batches',
    tick(second) {
      if (second % 10 !== 3) return
      void requests.send({ method: 'POST', url: '/plain/svc/batch/', body }).then((response) => {
        if (response === undefined) return
        const codes =
          response.status === 200 ? (JSON.parse(response.text) as { code: number }[]).map(({ code }) => code) : []
        const right = codes.length === batchItems && codes.every((code, i) => (code === 200) === (i !== 3))
        if (!right) problems.add('batch', `status ${response.status}, codes ${codes.join(' ')}`)
      })
    },
  }
}

/** Requests the same response all the time. The upstream is called once per lifetime of the response. */
export function makeCacheClient({ requests, upstream, conditions, problems }: TrafficServices): SoakClient {
  let since = 0
  let wasDisturbed = false
  return {
    name: 'cached responses',
    tick(second) {
      for (let i = 0; i < 2; i += 1) {
        void requests.send({ url: '/cached/price' }).then((response) => {
          if (response !== undefined && response.status !== 200) problems.add('cache', `status ${response.status}`)
        })
      }
      wasDisturbed ||= conditions.isDisturbed()
      if (second - since < 10 * cacheSeconds) return
      const calls = upstream.takeCounts().get('/cached/price') ?? 0
      // Two clients miss at once in ten lifetimes, and one more at each edge. Without the store nothing is cached.
      if (!wasDisturbed && calls > 24) problems.add('cache', `${calls} calls of the upstream in ten lifetimes`)
      if (calls === 0) problems.add('cache', 'no call of the upstream in ten lifetimes')
      since = second
      wasDisturbed = false
    },
  }
}

/** A client that disconnects while the upstream is slow. Its call of the upstream must end. */
export function makeAbortingClient({ node, clock }: TrafficServices): SoakClient {
  return {
    name: 'clients that disconnect',
    tick(second) {
      if (second % 5 !== 1) return
      const request = makeInjectedRequest({ url: '/plain/slow' })
      void Promise.resolve(node.gateway().handle(request))
      clock.after(400, () => request.abort())
    },
  }
}
