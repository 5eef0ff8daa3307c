/** What becomes of a connection to an API that passes bytes on. */

import type { ApiDefinition } from '../definition/api-definition.ts'
import { listedStreamTarget, parseStreamTarget, type StreamTarget } from '../definition/stream-target.ts'
import type { Log } from '../ports/log.ts'
import { type AdmitsAddress, makeAddressLists } from './address-lists.ts'

export interface StreamRoute {
  readonly apiId: string
  /** By the address lists of the API; it has no other gate. */
  readonly admits: AdmitsAddress
  /** Where the next connection goes; `undefined`: the definition names nothing that can be connected to. */
  pick(): StreamTarget | undefined
  /** Certificates of targets are not checked (`ssl_insecure_skip_verify`). */
  readonly insecure: boolean
}

/** `insecure`: the gateway's own setting, for definitions that say nothing. */
export function makeStreamRoute({ id, document }: ApiDefinition, insecure: boolean, log: Log): StreamRoute {
  const { enableLoadBalancing, targetList, targetUrl, transport } = document.proxy
  const listed = enableLoadBalancing ? (targetList ?? []) : []
  const urls = listed.length > 0 ? listed.map(listedStreamTarget) : [targetUrl]
  const targets = urls.map(parseStreamTarget).filter((target) => target !== undefined)
  const admits = makeAddressLists(document, (entry) => {
    log.warn('an entry of an address list is passed over', { api: id, entry })
  })
  let turn = 0
  return {
    apiId: id,
    admits: admits ?? (() => true),
    pick: () => targets[turn++ % targets.length],
    insecure: insecure || transport.sslInsecureSkipVerify,
  }
}
