/** Sends a request through the engine with notes taken, for `turnpike explain` and /svc/explain. */
import { type Engine, makeInjectedRequest, readAnswer } from '@turnpike/core'
import type { ExplainReport, ExplainRequest } from '@turnpike/mgmt-api'

/** Bytes of an answer's body that an explanation shows. */
const maxShownBodyBytes = 4096

/** `ownPort`: the gateway's, which has no number inside. */
export async function explain(engine: Engine, request: ExplainRequest, ownPort: number): Promise<ExplainReport> {
  const injected = makeInjectedRequest({
    method: request.method,
    url: request.target,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  const port = request.port === ownPort ? 0 : request.port
  const nowMicros = () => performance.now() * 1000
  const { answer: response, apiId, stages } = await engine.explain(injected, request.dry, nowMicros, port)
  const read = await readAnswer(response)
  const body = new TextDecoder().decode(read.bytes.subarray(0, maxShownBodyBytes))
  return { apiId, status: read.status, headers: read.pairs, body, stages }
}
