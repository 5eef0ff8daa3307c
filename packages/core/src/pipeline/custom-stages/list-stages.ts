import { phases } from '../contract/phase.ts'
import { stageNamesOf } from './check-stages.ts'
import type { CustomStage, CustomStagePhase } from './custom-stage.ts'
import { positionOf } from './plugins-of.ts'

export interface ListedStage {
  readonly name: string
  readonly phase: CustomStagePhase
  readonly isCustom: boolean
}

/** All stages in the order in which a request and its response pass them. An API has those that it needs. */
export function listStages(stages: readonly CustomStage[]): readonly ListedStage[] {
  const own = stages.map(({ name, phase, ...position }) => ({
    listed: { name, phase, isCustom: true },
    position: positionOf({ phase, ...position }),
  }))
  const placed = (side: 'before' | 'after', anchor: string) =>
    own
      .filter(({ position }) => (position as Readonly<Record<string, string>>)[side] === anchor)
      .map(({ listed }) => listed)
  return phases.flatMap((phase) => {
    if (phase === '7-record') return []
    return stageNamesOf(phase).flatMap((name) => [
      ...placed('before', name),
      { name, phase, isCustom: false },
      ...placed('after', name),
    ])
  })
}
