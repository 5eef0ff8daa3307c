/** Mutants of the pipeline order: stages in another position, and stages that do too much. */
import { type CounterStore, type MakeStage, type StageOrder, stageOrder } from '@turnpike/core'
import { orderProperty } from '../properties/property-16-order.ts'
import { engineOrder } from '../properties/subjects/order-subject.ts'
import { type Mutant, makeMutant } from './mutant.ts'

/** Returns a stage of the order by the name of the function that makes it. */
function stageNamed(name: string): MakeStage {
  const found = stageOrder.stages.find((make) => make.name === name)
  if (found === undefined) throw new Error(`there is no ${name} in the order`)
  return found
}

/** Returns the order with a stage moved before another one. */
function moved(name: string, before: string): StageOrder {
  const rest = stageOrder.stages.filter((make) => make.name !== name)
  const at = rest.indexOf(stageNamed(before))
  return { ...stageOrder, stages: rest.toSpliced(at, 0, stageNamed(name)) }
}

/** Returns the order with a stage wrapped. */
function wrapped(name: string, wrap: (stage: NonNullable<ReturnType<MakeStage>>) => ReturnType<MakeStage>): StageOrder {
  const real = stageNamed(name)
  const make: MakeStage = (compileContext) => {
    const stage = real(compileContext)
    return stage === null ? null : wrap(stage)
  }
  return { ...stageOrder, stages: stageOrder.stages.map((each) => (each === real ? make : each)) }
}

/** Returns the order with a stage replaced by other stages. */
function replaced(name: string, change: (real: MakeStage) => MakeStage): StageOrder {
  const real = stageNamed(name)
  return { ...stageOrder, stages: stageOrder.stages.map((each) => (each === real ? change(real) : each)) }
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

const fault = (what: string, order: StageOrder) => makeMutant(`order: ${what}`, orderProperty, engineOrder(what, order))

export const orderMutants: readonly Mutant[] = [
  fault(
    'a switched off organisation is found out where it was recorded, behind the lists',
    moved('makeOrgInactive', 'makeOrgLimits'),
  ),
  fault('addresses are looked at before paths', moved('makeIpFilter', 'makePathLists')),
  fault('the organisation pays for what its lists refuse', moved('makeOrgLimits', 'makePathLists')),
  fault('the organisation pays for bodies that are too large only later', moved('makeSizeLimit', 'makeOrgLimits')),
  fault('keys are read before addresses are looked at', moved('makeAuthToken', 'makeIpFilter')),
  fault('the rate is taken before the path is known to be open', moved('makeKeyLimits', 'makeAllowedUrls')),
  fault('the quota is spent before the rate', replaced('makeKeyLimits', quotaFirst)),
  fault('the rate of the API comes before that of the key', moved('makeApiRateLimit', 'makeKeyLimits')),
  fault('bodies are judged before anything is counted', moved('makeValidateJson', 'makeKeyLimits')),
  fault('cached answers are free', moved('makeCacheRead', 'makeKeyLimits')),
  fault('the request is forwarded before the body is validated', moved('makeForward', 'makeValidateJson')),
  fault(
    'the rate is taken twice',
    wrapped('makeKeyLimits', (stage) => ({
      ...stage,
      run: (context) => stage.run(context) ?? stage.run(context),
    })),
  ),
]
