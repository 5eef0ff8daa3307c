/** The route of connections to an API that forwards bytes (`protocol` is `tcp` or `tls`). */

import type { ApiDefinition } from '../definition/api-definition.ts'
import { parseStreamTarget, type StreamTarget } from '../definition/stream-target.ts'
import { listedTarget } from '../definition/target-url.ts'
import { type Maybe, when } from '../lib/maybe.ts'
import type { Log } from '../ports/log.ts'
import { type AdmitsAddress, makeAddressLists } from './address-lists.ts'
import type { TargetLookup } from './discovery/discovery.ts'
import type { Discovered } from './discovery/read-targets.ts'

export interface StreamRoute {
  readonly apiId: string
  /** Whether the address lists of the API admit a client; no other check applies. */
  readonly admits: AdmitsAddress
  /** The target of the next connection, round-robin; `undefined`: there is no valid target. */
  nextTarget(): Maybe<StreamTarget | undefined>
  /** Whether certificates of targets are accepted unchecked (`ssl_insecure_skip_verify`). */
  readonly insecure: boolean
}

/** `insecure`: the gateway-wide setting; a definition can only add to it. */
export function makeStreamRoute(
  { id, document }: ApiDefinition,
  insecure: boolean,
  log: Log,
  discovered?: TargetLookup,
): StreamRoute {
  const { enableLoadBalancing, targetList, targetUrl, transport } = document.proxy
  const listed = enableLoadBalancing ? (targetList ?? []) : []
  const urls = listed.length > 0 ? listed.map((entry) => listedTarget(entry, 'tcp')) : [targetUrl]
  const targets = urls.map(parseStreamTarget).filter((target) => target !== undefined)
  const admits = makeAddressLists(document, (entry) => {
    log.error('an entry of an address list is not an address, so it admits nobody', { api: id, entry })
  })
  let turn = 0
  const nextIndex = (length: number) => (enableLoadBalancing ? turn++ % length : 0)
  const next = (found: Discovered): StreamTarget | undefined => {
    if (found.kind === 'unavailable') return parseStreamTarget(targetUrl)
    return found.kind === 'targets'
      ? parseStreamTarget(found.targets[nextIndex(found.targets.length)] as string)
      : undefined
  }
  return {
    apiId: id,
    admits: admits ?? (() => true),
    nextTarget:
      discovered === undefined ? () => targets[nextIndex(targets.length)] : () => when(discovered.find(), next),
    insecure: insecure || transport.sslInsecureSkipVerify,
  }
}
