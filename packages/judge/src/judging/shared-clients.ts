/** Whether the gateway distinguishes the clients at all. If it does not, nothing else can be judged. */
import { overflowOf } from '../attacks/attack.ts'
import { asNeighbour } from '../attacks/neighbours.ts'
import type { RateLimit } from '../models/model.ts'
import type { History, Statement, Trace } from '../trace/trace-and-history.ts'
import { type Confirmed, repetitions } from './confirm-suspicion.ts'
import { isNotRun, type Prober } from './prober.ts'

const attack = 'clients'
const title = 'fresh clients after one that has used up its limit'

/** One client uses up the limit, and then fresh ones send a request each. Resolves with a finding if all are rejected. */
export async function sharedClients(
  prober: Prober,
  limit: RateLimit,
  deadline: number,
): Promise<Confirmed | undefined> {
  const { pool, budget } = prober
  if (pool.size < 8 * repetitions) return undefined
  const steps = [{ atMs: 0, count: overflowOf(limit), together: false }]
  const fresh = []
  for (let i = 0; i < repetitions; i += 1) {
    const client = await pool.take(deadline)
    if (client === undefined) return undefined
    fresh.push(client)
  }
  const others = fresh.map((client) => ({ atMs: 0, count: 1, together: false, variant: asNeighbour(client) }))
  const trace: Trace = { steps: [...steps, ...others] }
  const history = await prober.run(trace, budget.deadline, { isSearch: true })
  for (const client of fresh) pool.release(client)
  if (isNotRun(history)) return undefined
  const statement = sharedStatement(history)
  if (statement === undefined) return undefined
  const suspicion = { attack, title, history, statement, repeat: prober.run, check: sharedStatement }
  return { suspicion, history: withoutRepetitions(history, limit), statement, seen: repetitions, repeated: repetitions }
}

/** The first client has got what a fresh one gets, and no other client got anything. */
function sharedStatement(history: History): Statement | undefined {
  const first = history.groups.filter(({ step }) => step === 0)
  const others = history.groups.filter(({ step }) => step > 0)
  const admitted = first.filter((group) => group.admitted > 0).length
  if (first[0]?.admitted !== 1 || others.length < repetitions || others.some((group) => group.admitted > 0))
    return undefined
  // Without a rejection of the first client, fresh clients are rejected for another reason.
  if (admitted === first.length) return undefined
  const group = first.length
  const label = history.trace.steps[1]?.variant?.label ?? 'another client'
  const at = Math.round((history.groups[group]?.sentAt ?? 0) - history.startedAt)
  const seen = `after ${admitted} admitted requests of ${history.client}: ${label}, at ${at} ms the request is rejected`
  const hint =
    'the gateway does not tell these clients apart. Is --key-header right? Does it limit by address (--by-address)?'
  return { text: `${seen}; ${hint}`, group, mistake: 'clients are not distinguished' }
}

/** Each of the other clients repeats the mistake, so the first of them is enough to show it. */
function withoutRepetitions(history: History, { count }: RateLimit): History {
  const [first, second] = history.trace.steps
  if (first === undefined || second === undefined) return history
  // One request too many is enough, and a script with fewer of them ends before the limit renews.
  const steps = [{ ...first, count: count + 1 }, second]
  return { ...history, trace: { steps }, groups: history.groups.filter(({ step }) => step < 2) }
}
