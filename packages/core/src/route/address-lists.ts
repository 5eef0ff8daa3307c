/**
 * Which client addresses an API admits: first the allow list decides, then the block list. A list counts if it has
 * entries and is switched on. Source: docs/reference/request-pipeline.md#address-lists.
 */
import type { ClassicDefinition } from '../definition/classic.ts'
import { type IpAddress, type IpRange, isWithin, parseIpAddress, parseIpRange } from '../lib/ip-address.ts'

/** Whether the API admits an address, given as text. */
export type AdmitsAddress = (address: string) => boolean

/**
 * Compiles the lists; `undefined`: there are none, so every address is admitted. Invalid entries are reported to
 * `onInvalidEntry` and close: an allow list does not admit what they mean, and a block list with one admits nobody.
 */
export function makeAddressLists(
  document: Readonly<ClassicDefinition>,
  onInvalidEntry: (entry: string) => void,
): AdmitsAddress | undefined {
  const on = !document.ipAccessControlDisabled
  let hasInvalid = false
  const allowed = compileList(document.allowedIps, on || document.enableIpWhitelisting, onInvalidEntry)
  const blocked = compileList(document.blacklistedIps, on || document.enableIpBlacklisting, (entry) => {
    hasInvalid = true
    onInvalidEntry(entry)
  })
  if (hasInvalid) return () => false
  if (allowed === undefined && blocked === undefined) return undefined
  return (text) => {
    const address = parseIpAddress(text)
    if (allowed !== undefined && !isListed(address, allowed)) return false
    return blocked === undefined || !isListed(address, blocked)
  }
}

/** `undefined` if the list is off or empty. */
function compileList(
  entries: readonly string[] | null,
  on: boolean,
  onInvalidEntry: (entry: string) => void,
): IpRange[] | undefined {
  if (!on || entries === null || entries.length === 0) return undefined
  const ranges: IpRange[] = []
  for (const entry of entries) {
    const range = parseIpRange(entry.trim())
    if (range !== undefined) ranges.push(range)
    else onInvalidEntry(entry)
  }
  return ranges
}

function isListed(address: IpAddress | undefined, list: readonly IpRange[]): boolean {
  return address !== undefined && list.some((range) => isWithin(address, range))
}
