import type { Rejection } from '../../http/errors.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'

/** Renders rejections as responses. */
export interface ErrorRenderer {
  render(rejection: Rejection, request: GatewayRequest): GatewayResponse
  /** The same as a JSON-RPC error; `idJson`: JSON of the id of the request that is refused. */
  renderRpc(rejection: Rejection, idJson: string): GatewayResponse
}
