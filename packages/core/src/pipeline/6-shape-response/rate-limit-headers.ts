/** Replaces the X-RateLimit headers of the upstream by those of the gateway, and adds the IETF headers if they are on. */
import type { MakeResponseStage } from '../contract/stage.ts'
import { addIetfHeaders, addQuotaHeaders, addRateOrNone, removeRateHeaders } from '../shared/limit-headers.ts'

export const makeRateLimitHeaders: MakeResponseStage = ({ services }) => {
  const { headers } = services.settings
  const add: typeof addRateOrNone = headers.recorded === 'quotas' ? addQuotaHeaders : addRateOrNone
  return {
    run(context, response) {
      removeRateHeaders(response)
      add(context, response, headers)
      if (headers.ietf) addIetfHeaders(context, response)
      return response
    },
  }
}
