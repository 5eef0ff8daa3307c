/**
 * Where the gateway answers across origins itself, what the upstream says about it is dropped: two voices in one
 * header are an error to browsers. Source: spec/apis-and-pipeline.md 4.9.
 */
import { removeHeader } from '../../http/headers.ts'
import type { MakeResponseStage } from '../contract/stage.ts'

export const makeOwnHeaders: MakeResponseStage = ({ api, version, services }) => {
  const tellsVersions =
    services.settings.headers.version !== '' || api.expiresAt !== undefined || version.expiresAt !== undefined
  if (!api.document.cors.enable && !tellsVersions) return null
  return {
    name: 'own-headers',
    phase: '6-shape-response',
    run({ extraHeaders }, answer) {
      for (let i = 0; i < (extraHeaders?.length ?? 0); i += 2) {
        const name = extraHeaders?.[i] as string
        // A list that may be continued: the upstream's own reasons to vary stay true.
        if (name !== 'vary') removeHeader(answer.headers, name)
      }
      return answer
    },
  }
}
