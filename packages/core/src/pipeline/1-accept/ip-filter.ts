/**
 * Address lists: the allow list, then the block list. A list counts when it has entries and is switched on.
 * Source: spec/apis-and-pipeline.md 2, 4.10.
 */
import { clientAddressOf } from '../../address/client-address.ts'
import { type IpAddress, type IpRange, isWithin, parseIpAddress, parseIpRange } from '../../address/ip-address.ts'
import { rejections } from '../../errors.ts'
import type { MakeStage, Scope } from '../stage.ts'

export const makeIpFilter: MakeStage = (scope) => {
  const { document } = scope.api
  const on = !document.ipAccessControlDisabled
  const allowed = compileList(document.allowedIps, on || document.enableIpWhitelisting, scope)
  const blocked = compileList(document.blacklistedIps, on || document.enableIpBlacklisting, scope)
  if (allowed === undefined && blocked === undefined) return null
  const { xffDepth } = scope.tools.settings.routing

  return {
    name: 'ip-filter',
    phase: '1-accept',
    run(context) {
      const text = clientAddressOf(context, xffDepth)
      const address = parseIpAddress(text)
      context.trace?.note(`client address ${text === '' ? 'unknown' : text}`)
      if (allowed !== undefined && !isListed(address, allowed)) return rejections.ipForbidden
      if (blocked !== undefined && isListed(address, blocked)) return rejections.ipForbidden
      return undefined
    },
  }
}

/** `undefined` when the list is off or empty. An entry that cannot be read fits nobody, so an allow list stays shut. */
function compileList(entries: readonly string[] | null, on: boolean, scope: Scope): IpRange[] | undefined {
  if (!on || entries === null || entries.length === 0) return undefined
  const ranges: IpRange[] = []
  for (const entry of entries) {
    const range = parseIpRange(entry.trim())
    if (range !== undefined) ranges.push(range)
    else scope.tools.log.warn('an entry of an address list is passed over', { api: scope.api.id, entry })
  }
  return ranges
}

function isListed(address: IpAddress | undefined, list: readonly IpRange[]): boolean {
  return address !== undefined && list.some((range) => isWithin(address, range))
}
