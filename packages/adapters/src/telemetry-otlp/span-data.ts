/** What a finished span consists of. Times are microseconds since 1970. */
import type { Ids } from '@turnpike/core/ports'

export type AttributeValue = string | number | boolean

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

/** Numbers of the OpenTelemetry protocol. */
export const spanKind = { internal: 1, server: 2, client: 3 } as const

export interface SpanEvent {
  readonly name: string
  readonly at: number
  readonly attributes: Attributes
}

export interface SpanData {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentId: string
  /** Value of `tracestate`; may be empty. */
  readonly state: string
  readonly name: string
  readonly kind: (typeof spanKind)[keyof typeof spanKind]
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly failed: boolean
  /** Replaces secrets in the values of attributes. Absent: they contain none. */
  readonly shown: ((text: string) => string) | undefined
}

/** 16 hexadecimal digits that are random except for two bits. */
export function newSpanId(ids: Ids): string {
  return ids.uuid().slice(16)
}

/** Receives finished spans. */
export interface SpanSink {
  add(span: SpanData): void
}
