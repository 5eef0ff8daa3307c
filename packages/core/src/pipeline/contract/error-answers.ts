import type { Rejection } from '../../http/errors.ts'
import type { Answer, GatewayRequest } from '../../http/http.ts'

/** Renders rejections as responses. */
export interface ErrorAnswers {
  render(rejection: Rejection, request: GatewayRequest): Answer
  /** The same as a JSON-RPC error; `idJson`: JSON of the id of the request that is refused. */
  renderRpc(rejection: Rejection, idJson: string): Answer
}
