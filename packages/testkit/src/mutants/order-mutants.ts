/** Faults planted into the order of the pipeline: stages that stand in another place, and stages that do too much. */
import { type MakeStage, type StageOrder, stageOrder } from '@turnpike/core'
import { engineOrder } from '../properties/order-subject.ts'
import { orderProperty } from '../properties/property-16-order.ts'
import { type Mutant, makeMutant } from './mutant.ts'

/** A stage of the order by the name of the function that makes it. */
function stageNamed(name: string): MakeStage {
  const found = stageOrder.stages.find((make) => make.name === name)
  if (found === undefined) throw new Error(`there is no ${name} in the order`)
  return found
}

/** The order with a stage moved before another one. */
function moved(name: string, before: string): StageOrder {
  const rest = stageOrder.stages.filter((make) => make.name !== name)
  const at = rest.indexOf(stageNamed(before))
  return { ...stageOrder, stages: rest.toSpliced(at, 0, stageNamed(name)) }
}

/** The order with a stage wrapped. */
function wrapped(name: string, wrap: (stage: NonNullable<ReturnType<MakeStage>>) => ReturnType<MakeStage>): StageOrder {
  const real = stageNamed(name)
  const make: MakeStage = (scope) => {
    const stage = real(scope)
    return stage === null ? null : wrap(stage)
  }
  return { ...stageOrder, stages: stageOrder.stages.map((each) => (each === real ? make : each)) }
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
  fault('the rate is taken before the path is known to be open', moved('makeRateLimit', 'makeAllowedUrls')),
  fault('the quota is spent before the rate', moved('makeQuota', 'makeRateLimit')),
  fault('the rate of the API comes before that of the key', moved('makeApiRateLimit', 'makeRateLimit')),
  fault('bodies are judged before anything is counted', moved('makeValidateJson', 'makeRateLimit')),
  fault('cached answers are free', moved('makeCacheRead', 'makeRateLimit')),
  fault('the upstream is asked before the body is judged', moved('makeForward', 'makeValidateJson')),
  fault(
    'the rate is taken twice',
    wrapped('makeRateLimit', (stage) => ({
      ...stage,
      run: (context) => stage.run(context) ?? stage.run(context),
    })),
  ),
]
