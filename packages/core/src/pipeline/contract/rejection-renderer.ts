import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'

export type ErrorFormat = 'json' | 'xml'

/** What a layout or a template can contain. */
export interface ErrorValues {
  readonly message: string
  readonly status: number
  /** What validation found; absent for other errors. */
  readonly invalidParams?: string
}

export type RenderText = (values: ErrorValues) => string

/** The files of `template_path`. */
export interface ErrorTemplates {
  /** The layout for errors of a status, or the one for all errors. `undefined`: the built-in layout applies. */
  layout(status: number | undefined, format: ErrorFormat): RenderText | undefined
  /** The file of this name; `undefined`: it does not exist. */
  named(name: string, format: ErrorFormat): RenderText | undefined
}

/** Renders rejections as responses. */
export interface RejectionRenderer {
  render(rejection: Rejection, request: GatewayRequest): GatewayResponse
  /** Renders a JSON-RPC error. `idJson`: JSON text of the id of the rejected request. */
  renderRpc(rejection: Rejection, idJson: string): GatewayResponse
  /** The rejection with status and message of `override_messages`. */
  reworded(rejection: Rejection): Rejection
  /** The text of an error in the layout for all errors, independent of its status. */
  commonText(values: ErrorValues, format: ErrorFormat): string
  readonly templates: Pick<ErrorTemplates, 'named'>
}
