/** The batch endpoint `<listen path>svc/batch/` of each API that enables it. */
import type { ApiDefinition, Endpoint } from '@turnpike/core'
import { type BatchSettings, defaultBatchSettings } from './batch-settings.ts'
import { makeBatchStage } from './make-batch-stage.ts'

export function makeBatchEndpoint(settings: BatchSettings = defaultBatchSettings): Endpoint {
  return {
    paths: (api, vendor) => (hasBatchEndpoint(api) ? [pathOf(vendor)] : []),
    make: (compileContext, dispatch) =>
      makeBatchStage(compileContext, pathOf(compileContext.services.settings.vendor.toLowerCase()), settings, dispatch),
  }
}

const pathOf = (vendor: string) => `/${vendor}/batch/`

/** MCP proxies have no batch endpoint, because they handle messages. */
function hasBatchEndpoint({ document }: ApiDefinition): boolean {
  return document.enableBatchRequestSupport && document.applicationProtocol !== 'mcp'
}
