/**
 * Inserts stages of a program before or after a stage of this package. `custom-stages/adapt-custom-stages.ts` chooses
 * that stage, and `custom-stages/check-stages.ts` checks phases.
 */
import type { OrderEntry, ResponseStage, Stage } from './contract/stage.ts'
import type { ResponseStageName, StageName, StageOrder } from './stage-order.ts'

export type Anchor<Name> = { readonly after: Name } | { readonly before: Name }

/** A stage to insert. Stages with the same anchor keep their order. */
export type StagePlugin = Anchor<StageName> & OrderEntry<Stage>
export type ResponseStagePlugin = Anchor<ResponseStageName> & OrderEntry<ResponseStage>

export interface StagePlugins {
  readonly stages?: readonly StagePlugin[]
  readonly responseStages?: readonly ResponseStagePlugin[]
}

export function placeStages(order: StageOrder, { stages = [], responseStages = [] }: StagePlugins): StageOrder {
  return { ...order, stages: insert(order.stages, stages), responses: insert(order.responses, responseStages) }
}

function insert<Entry extends { readonly name: string }>(
  order: readonly Entry[],
  plugins: readonly (Anchor<string> & Entry)[],
): readonly Entry[] {
  const anchorOf = (plugin: Anchor<string>) => ('after' in plugin ? plugin.after : plugin.before)
  for (const anchor of plugins.map(anchorOf)) {
    if (!order.some(({ name }) => name === anchor)) throw new Error(`the order has no stage named ${anchor}`)
  }
  const placed = (side: 'after' | 'before', anchor: string) =>
    plugins.filter((plugin) => side in plugin && anchorOf(plugin) === anchor)
  return order.flatMap((entry) => [...placed('before', entry.name), entry, ...placed('after', entry.name)])
}
