/** The request as a custom stage sees it. One object per stage and request. */
import { isToken } from '../../http/field-names.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { escapeUrlText } from '../../lib/template/escape-variable.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import { type Counter, counterKey } from '../../ports/store.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { Phase } from '../contract/phase.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { describeBody, replaceRequest, setInnerPath } from '../shared/replace-request.ts'
import { readRequestBody } from '../shared/request-body.ts'
import { variablesOf } from '../shared/variable-values.ts'
import type {
  MessageHeaders,
  StageLimit,
  StageLimitResult,
  StageRejection,
  StageRequest,
  StageSession,
} from './custom-stage.ts'
import { PairHeaders } from './message-headers.ts'
import { BodyRejected, makeRejection } from './to-outcome.ts'

/** In these phases the gateway's own later stages read what the stage changed. */
const earlyPhases: ReadonlySet<Phase> = new Set(['1-accept', '2-identify', '3-admit'])

export class CustomStageRequest implements StageRequest {
  readonly headers: MessageHeaders
  readonly variables: StageRequest['variables']
  private readonly context: RequestContext
  private readonly compileContext: CompileContext
  private readonly stage: string
  private readonly isEarly: boolean

  constructor(context: RequestContext, compileContext: CompileContext, stage: string, phase: Phase) {
    this.context = context
    this.compileContext = compileContext
    this.stage = stage
    this.isEarly = earlyPhases.has(phase)
    this.headers = new PairHeaders(
      () => context.outgoing.headers,
      (apply) => this.changeHeaders(apply),
    )
    this.variables = {
      get: (name) => variablesOf(context, compileContext).contextText(name),
      set: (name, value) => variablesOf(context, compileContext).keep(name, String(value)),
    }
  }

  get method(): string {
    return this.context.outgoing.method
  }

  get path(): string {
    return this.context.path
  }

  get query(): string {
    return this.context.outgoing.query
  }

  get clientAddress(): string {
    return clientAddressOf(this.context, this.compileContext.services.settings.routing)
  }

  get secure(): boolean {
    return this.context.request.secure
  }

  get version(): string {
    return this.context.version.name
  }

  get session(): StageSession | undefined {
    const { key } = this.context
    return key === undefined ? undefined : sessionOf(key)
  }

  get dry(): boolean {
    return this.context.trace?.dry === true
  }

  setMethod(method: string): void {
    if (!isToken(method)) throw new TypeError(`${JSON.stringify(method)} is not a valid method`)
    this.context.outgoing.method = method
  }

  setPath(path: string): void {
    setInnerPath(this.context, path)
  }

  setQuery(query: string): void {
    const { context } = this
    const text = escapeUrlText(query.replace(/^\?/, '')).replaceAll('#', '%23')
    context.outgoing.query = text
    if (this.isEarly) replaceRequest(context, { query: text })
  }

  setBody(body: string | Uint8Array): void {
    const bytes = typeof body === 'string' ? utf8Bytes(body) : body
    const { outgoing } = this.context
    // Nobody reads the client's body any more.
    if (outgoing.body === undefined) outgoing.stream?.cancel()
    outgoing.body = bytes
    this.changeHeaders((headers) => describeBody(headers, bytes))
    if (this.isEarly) replaceRequest(this.context, { body: bytes })
  }

  async body(): Promise<Uint8Array> {
    const body = await readRequestBody(this.context, this.compileContext.services)
    if (body instanceof Uint8Array) return body
    throw new BodyRejected(body)
  }

  async text(): Promise<string> {
    return utf8Text(await this.body())
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  /** Counts one request; none in a dry run. Rejects with a `TypeError` for an invalid limit. */
  async consume(name: string, { limit, seconds }: StageLimit): Promise<StageLimitResult> {
    const { trace } = this.context
    const { api, services } = this.compileContext
    if (!(Number.isInteger(limit) && limit > 0 && seconds > 0)) {
      const given = `${limit} in ${seconds} s`
      throw new TypeError(`a limit needs a whole number of requests and seconds above 0, given: ${given}`)
    }
    const subject = `stage-${this.stage}-${api.orgId}${api.id}-${name}`
    const id = { subject, kind: 'api', scope: '', endpoint: '' } as const
    const counter: Counter = {
      ...id,
      id: counterKey(id),
      generation: '',
      rate: undefined,
      quota: { max: limit, renewalSeconds: seconds },
    }
    const { quota } = await services.store.counters.consume(counter, trace?.dry ? 0 : 1)
    if (quota === undefined) throw new Error('the store returned no quota')
    trace?.note(`counter ${name}: ${quota.remaining} of ${limit} left`)
    return {
      allowed: quota.allowed,
      remaining: quota.remaining,
      resetAt: quota.renewsAt ?? services.clock.now() + seconds * 1000,
    }
  }

  reject(status: number, message: string, headers?: Readonly<Record<string, string>>): StageRejection {
    return makeRejection(status, message, headers)
  }

  note(text: string): void {
    this.context.trace?.note(text)
  }

  private changeHeaders(apply: (pairs: HeaderPairs) => void): void {
    const { context } = this
    if (this.isEarly) {
      const headers = context.request.headers.slice()
      apply(headers)
      apply(context.outgoing.ownHeaders())
      replaceRequest(context, { headers })
    } else apply(context.outgoing.ownHeaders())
  }
}

/** What a custom stage can read of a key. Copies, because requests share the session. */
function sessionOf(key: CachedKey): StageSession {
  const { alias, orgId, applyPolicies, applyPolicyId, tags, metaData, oauthClientId } = key.session
  const single = applyPolicyId === '' ? [] : [applyPolicyId]
  return {
    keyHash: key.logName,
    alias,
    orgId,
    policies: [...(applyPolicies ?? single)],
    tags: [...(tags ?? [])],
    metaData: JSON.parse(JSON.stringify(metaData ?? {})) as StageSession['metaData'],
    oauthClientId,
  }
}
