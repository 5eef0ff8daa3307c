/** Address lists of the API (docs/reference/request-pipeline.md#address-lists). */

import { rejections } from '../../http/rejections.ts'
import { makeAddressLists } from '../../route/address-lists.ts'
import type { MakeStage } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'

export const makeIpFilter: MakeStage = ({ api, services }) => {
  const admits = makeAddressLists(api.document, (entry) => {
    services.log.error('an entry of an address list is not an address, so it admits nobody', { api: api.id, entry })
  })
  if (admits === undefined) return null
  const { routing } = services.settings

  return {
    runsForLimits: true,
    run(context) {
      const text = clientAddressOf(context, routing)
      context.trace?.note(`client address ${text === '' ? 'unknown' : text}`)
      return admits(text) ? undefined : rejections.ipForbidden
    },
  }
}
