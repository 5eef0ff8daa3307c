/** Mutants of the pipeline order: stages in another position, and stages that do too much. */
import { type MakeStage, type StageOrder, stageOrder } from '@turnpike/core/pipeline'
import type { CounterStore } from '@turnpike/core/ports'
import { orderProperty } from '../properties/property-16-order.ts'
import { engineOrder } from '../properties/subjects/order-subject.ts'
import { type Mutant, makeMutant } from './mutant.ts'

type Entry = StageOrder['stages'][number]

/** Returns a stage of the order by its name. */
function stageNamed(name: string): Entry {
  const found = stageOrder.stages.find((entry) => entry.name === name)
  if (found === undefined) throw new Error(`there is no ${name} in the order`)
  return found
}

/** Returns the order with a stage moved before another one. */
function moved(name: string, before: string): StageOrder {
  const rest = stageOrder.stages.filter((entry) => entry.name !== name)
  const at = rest.indexOf(stageNamed(before))
  return { ...stageOrder, stages: rest.toSpliced(at, 0, stageNamed(name)) }
}

/** Returns the order with a stage replaced. */
function replaced(name: string, change: (real: MakeStage) => MakeStage): StageOrder {
  const real = stageNamed(name)
  const changed = { ...real, make: change(real.make) }
  return { ...stageOrder, stages: stageOrder.stages.map((entry) => (entry === real ? changed : entry)) }
}

/** Runs the stage twice. */
const twice =
  (real: MakeStage): MakeStage =>
  (compileContext) => {
    const stage = real(compileContext)
    return stage && { ...stage, run: (context) => stage.run(context) ?? stage.run(context) }
  }

/** Gives the stage a store that counts the quota first. */
const quotaFirst =
  (real: MakeStage): MakeStage =>
  (compileContext) => {
    const { store } = compileContext.services
    const { counters } = store
    const consume: CounterStore['consume'] = async (counter, amount) => {
      const { quota } = await counters.consume({ ...counter, rate: undefined }, amount)
      if (quota?.allowed === false) return { rate: undefined, quota }
      const { rate } = await counters.consume({ ...counter, quota: undefined }, amount)
      return { rate, quota }
    }
    return real({
      ...compileContext,
      services: { ...compileContext.services, store: { ...store, counters: { ...counters, consume } } },
    })
  }

const mutant = (what: string, order: StageOrder) =>
  makeMutant(`order: ${what}`, orderProperty, engineOrder(what, order))

export const orderMutants: readonly Mutant[] = [
  mutant(
    'a switched off organisation is found out where it was recorded, behind the lists',
    moved('org-inactive', 'org-limits'),
  ),
  mutant('addresses are looked at before paths', moved('ip-filter', 'path-lists')),
  mutant('the organisation pays for what its lists refuse', moved('org-limits', 'path-lists')),
  mutant('the organisation pays for bodies that are too large only later', moved('size-limit', 'org-limits')),
  mutant('keys are read before addresses are looked at', moved('auth-token', 'ip-filter')),
  mutant('the rate is taken before the path is known to be open', moved('key-limits', 'allowed-urls')),
  mutant('the quota is spent before the rate', replaced('key-limits', quotaFirst)),
  mutant('the rate of the API comes before that of the key', moved('api-rate-limit', 'key-limits')),
  mutant('bodies are judged before anything is counted', moved('validate-json', 'key-limits')),
  mutant('cached answers are free', moved('cache-read', 'key-limits')),
  mutant('the request is forwarded before the body is validated', moved('forward', 'validate-json')),
  mutant('the rate is taken twice', replaced('key-limits', twice)),
]
