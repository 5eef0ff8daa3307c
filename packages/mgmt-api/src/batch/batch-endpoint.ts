/** Attaches batches to a gateway: `<listen path>svc/batch/` of each API that enables them. */
import type { ApiDefinition, Endpoint } from '@turnpike/core'
import { type BatchSettings, defaultBatchSettings } from './batch-settings.ts'
import { makeBatchStage } from './make-batch-stage.ts'

export function makeBatchEndpoint(settings: BatchSettings = defaultBatchSettings): Endpoint {
  return {
    paths: (api, vendor) => (takesBatches(api) ? [pathOf(vendor)] : []),
    make: (compileContext, dispatch) =>
      makeBatchStage(compileContext, pathOf(compileContext.services.settings.vendor.toLowerCase()), settings, dispatch),
  }
}

const pathOf = (vendor: string) => `/${vendor}/batch/`

/** An MCP proxy handles messages, not requests. */
function takesBatches({ document }: ApiDefinition): boolean {
  return document.enableBatchRequestSupport && document.applicationProtocol !== 'mcp'
}
