/** Sends requests to the current gateway of the node and notes those without a response. */
import type { VirtualClock } from '@turnpike/testkit'
import type { Problems } from './problems.ts'
import type { SoakedNode } from './soaked-node.ts'
import type { RequestCounter, SoakResponse } from './traffic.ts'

/** Longer than every time limit of the gateway in this soak. */
const stallMs = 30_000

export function makeRequestCounter(clock: VirtualClock, node: SoakedNode, problems: Problems): RequestCounter {
  const lost = new Set<() => void>()
  let total = 0
  return {
    get total() {
      return total
    },
    get pending() {
      return lost.size
    },
    send(request) {
      total += 1
      return new Promise<SoakResponse | undefined>((resolve) => {
        const giveUp = () => {
          cancel()
          lost.delete(giveUp)
          resolve(undefined)
        }
        const cancel = clock.after(stallMs, () => {
          problems.add('stalled', `${request.method ?? 'GET'} ${request.url} got no response in ${stallMs / 1000} s`)
          giveUp()
        })
        lost.add(giveUp)
        void node
          .gateway()
          .inject(request)
          .then(({ status, headers, text }) => {
            if (!lost.delete(giveUp)) return
            cancel()
            resolve({ status, headers, text: text() })
          })
      })
    },
    crashed() {
      for (const giveUp of [...lost]) giveUp()
    },
  }
}
