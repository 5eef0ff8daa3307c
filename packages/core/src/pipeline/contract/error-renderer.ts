import type { Rejection } from '../../http/errors.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'

/** Renders rejections as responses. */
export interface ErrorRenderer {
  render(rejection: Rejection, request: GatewayRequest): GatewayResponse
  /** Renders a JSON-RPC error. `idJson`: JSON text of the id of the rejected request. */
  renderRpc(rejection: Rejection, idJson: string): GatewayResponse
}
