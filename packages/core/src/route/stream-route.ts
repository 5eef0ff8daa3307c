/** The route of connections to an API that forwards bytes (`protocol` is `tcp` or `tls`). */

import type { ApiDefinition } from '../definition/api-definition.ts'
import { listedStreamTarget, parseStreamTarget, type StreamTarget } from '../definition/stream-target.ts'
import type { Log } from '../ports/log.ts'
import { type AdmitsAddress, makeAddressLists } from './address-lists.ts'

export interface StreamRoute {
  readonly apiId: string
  /** Whether the address lists of the API admit a client; no other check applies. */
  readonly admits: AdmitsAddress
  /** The target of the next connection, round-robin; `undefined`: the definition has no valid target. */
  nextTarget(): StreamTarget | undefined
  /** Whether certificates of targets are accepted unchecked (`ssl_insecure_skip_verify`). */
  readonly insecure: boolean
}

/** `insecure`: the gateway-wide setting; a definition can only add to it. */
export function makeStreamRoute({ id, document }: ApiDefinition, insecure: boolean, log: Log): StreamRoute {
  const { enableLoadBalancing, targetList, targetUrl, transport } = document.proxy
  const listed = enableLoadBalancing ? (targetList ?? []) : []
  const urls = listed.length > 0 ? listed.map(listedStreamTarget) : [targetUrl]
  const targets = urls.map(parseStreamTarget).filter((target) => target !== undefined)
  const admits = makeAddressLists(document, (entry) => {
    log.warn('an invalid entry of an address list is ignored', { api: id, entry })
  })
  let turn = 0
  return {
    apiId: id,
    admits: admits ?? (() => true),
    nextTarget: () => targets[turn++ % targets.length],
    insecure: insecure || transport.sslInsecureSkipVerify,
  }
}
