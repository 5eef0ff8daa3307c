/**
 * Requests only content codings that the gateway decodes, where a stage reads the body of the response: a body template or
 * the engine form of GraphQL. Other responses keep the codings that the client accepts
 * (docs/reference/transforms.md#content-codings).
 */
import { headersOf, setHeader } from '../../http/headers.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { compileGraphql } from '../graphql/compiled-graphql.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { codingOf } from '../shared/recode-body.ts'
import { firesFor } from '../shared/response-processors.ts'

export const makeResponseCodings: MakeStage = (compileContext) => {
  const isRead = readsBody(compileContext)
  if (isRead === null) return null
  return {
    run(context) {
      const { outgoing } = context
      const accepted = headersOf(outgoing.headers, 'accept-encoding')
      if (accepted.length === 0 || !isRead(context)) return undefined
      const all = accepted.join(', ')
      const decoded = decodedCodings(all, compileContext)
      if (decoded !== all) setHeader(outgoing.ownHeaders(), 'accept-encoding', decoded)
      return undefined
    },
  }
}

/** Whether a stage reads the body of the response to a request; `null`: none of this version does. */
function readsBody(compileContext: CompileContext): ((context: RequestContext) => boolean) | null {
  const { api, version } = compileContext
  if (compileGraphql(api)?.form === 'engine') return () => true
  if (!firesFor('response_body_transform', compileContext)) return null
  const find = compilePathRules(version.paths.transformResponse, compileContext, () => true)
  return find && ((context) => find(context) === true)
}

/** The entries of an `Accept-Encoding` that name a coding which the gateway decodes. */
function decodedCodings(accepted: string, { services }: CompileContext): string {
  const kept = accepted.split(',').filter((entry) => {
    const [name = ''] = entry.split(';', 1)
    return name.trim().toLowerCase() === 'identity' || codingOf(name, services) !== undefined
  })
  const decoded = kept.map((entry) => entry.trim()).join(', ')
  return decoded === '' ? 'identity' : decoded
}
