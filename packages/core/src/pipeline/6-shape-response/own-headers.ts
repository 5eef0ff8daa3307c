/**
 * Removes upstream headers that the gateway sets itself (CORS, version), because browsers reject duplicates
 * (docs/reference/request-pipeline.md#cors).
 */
import { removeHeader } from '../../http/headers.ts'
import type { MakeResponseStage } from '../contract/stage.ts'

export const makeOwnHeaders: MakeResponseStage = ({ api, version, services }) => {
  const tellsVersions =
    services.settings.headers.version !== '' || api.expiresAt !== undefined || version.expiresAt !== undefined
  if (!api.document.cors.enable && !tellsVersions) return null
  return {
    run({ extraHeaders }, response) {
      for (let i = 0; i < (extraHeaders?.length ?? 0); i += 2) {
        const name = extraHeaders?.[i] as string
        // `Vary` is a list: the entries of the upstream stay valid.
        if (name !== 'vary') removeHeader(response.headers, name)
      }
      return response
    },
  }
}
