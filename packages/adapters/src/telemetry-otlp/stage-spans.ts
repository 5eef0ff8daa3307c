/** The stages of a request: events of its span, or spans of their own for APIs with `detailed_tracing`. */
import type { RecordedStages, TracedStage } from '@turnpike/core/pipeline'
import type { Ids } from '@turnpike/core/ports'
import { type Attributes, newSpanId, type SpanData, type SpanEvent, spanKind } from './span-data.ts'
import type { WallClock } from './wall-clock.ts'

/** An event at the end of each stage. */
export function stageEvents({ stages, starts }: RecordedStages, time: WallClock): SpanEvent[] {
  return stages.map((stage, i) => ({
    name: `stage ${stage.stage}`,
    at: time.toEpoch((starts[i] ?? 0) + stage.micros),
    attributes: attributesOf(stage, Math.round(stage.micros)),
  }))
}

export interface StageParent extends Pick<SpanData, 'traceId' | 'spanId' | 'state' | 'shown'> {
  readonly time: WallClock
  readonly ids: Ids
}

export function stageSpans({ stages, starts }: RecordedStages, parent: StageParent): SpanData[] {
  const { time, ids, traceId, spanId: parentId, state, shown } = parent
  return stages.map((stage, i) => {
    const startedAt = time.toEpoch(starts[i] ?? 0)
    return {
      traceId,
      spanId: newSpanId(ids),
      parentId,
      state,
      name: stage.stage,
      kind: spanKind.internal,
      startedAt,
      endedAt: startedAt + stage.micros,
      attributes: attributesOf(stage, undefined),
      events: [],
      failed: stage.verdict === 'fails',
      shown,
    }
  })
}

/** The outcome is the first word of the verdict: passes, rejects, responds, shaped or fails. */
function attributesOf({ phase, verdict }: TracedStage, micros: number | undefined): Attributes {
  return {
    'turnpike.stage.phase': phase,
    'turnpike.stage.outcome': /^\w+/.exec(verdict)?.[0],
    'turnpike.stage.result': verdict.startsWith('rejects') ? verdict.trimEnd() : undefined,
    'turnpike.stage.duration_us': micros,
  }
}
