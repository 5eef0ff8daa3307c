// Clients buy tickets concurrently. Is there an order in which one client after the other would get the same replies?
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLinearizable, makeHistoryRecorder, showLinearizability } from '@turnpike/testkit'

// How a shop with two tickets behaves with one client after the other. The state is the number of tickets left.
const twoTickets = {
  initial: 2,
  apply(left, _call, reply) {
    if (reply === 'sold out') return left === 0 ? [0] : []
    return left > 0 ? [left - 1] : [] // reply "ticket", or no reply from a shop that sold one
  },
}

function shop(pauseMs) {
  let left = 2
  return async () => {
    const before = left
    if (pauseMs > 0) await sleep(pauseMs) // another client can buy in between
    if (before === 0) return 'sold out'
    left = before - 1
    return 'ticket'
  }
}

async function fiveClients(buy) {
  const recorder = makeHistoryRecorder()
  const clients = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(clients.map((client) => recorder.record(client, 'tickets', 'buy', buy)))
  return checkLinearizable(twoTickets, recorder.operations)
}

console.log('in one step:', showLinearizability(await fiveClients(shop(0))))
console.log('in two steps:', showLinearizability(await fiveClients(shop(20))))
