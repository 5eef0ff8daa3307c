/**
 * Who may come by the address lists of an API: the allow list, then the block list. A list counts when it has entries
 * and is switched on. Source: spec/apis-and-pipeline.md 2, 4.10.
 */
import type { ClassicDefinition } from '../definition/classic.ts'
import { type IpAddress, type IpRange, isWithin, parseIpAddress, parseIpRange } from '../lib/ip-address.ts'

/** Whether an address in text form may come. */
export type AdmitsAddress = (address: string) => boolean

/**
 * `undefined`: there are no lists, everybody may. An entry that cannot be read is told to `passOver` and fits nobody, so
 * an allow list of such entries stays shut.
 */
export function makeAddressLists(
  document: Readonly<ClassicDefinition>,
  passOver: (entry: string) => void,
): AdmitsAddress | undefined {
  const on = !document.ipAccessControlDisabled
  const allowed = compileList(document.allowedIps, on || document.enableIpWhitelisting, passOver)
  const blocked = compileList(document.blacklistedIps, on || document.enableIpBlacklisting, passOver)
  if (allowed === undefined && blocked === undefined) return undefined
  return (text) => {
    const address = parseIpAddress(text)
    if (allowed !== undefined && !isListed(address, allowed)) return false
    return blocked === undefined || !isListed(address, blocked)
  }
}

/** `undefined` when the list is off or empty. */
function compileList(
  entries: readonly string[] | null,
  on: boolean,
  passOver: (entry: string) => void,
): IpRange[] | undefined {
  if (!on || entries === null || entries.length === 0) return undefined
  const ranges: IpRange[] = []
  for (const entry of entries) {
    const range = parseIpRange(entry.trim())
    if (range !== undefined) ranges.push(range)
    else passOver(entry)
  }
  return ranges
}

function isListed(address: IpAddress | undefined, list: readonly IpRange[]): boolean {
  return address !== undefined && list.some((range) => isWithin(address, range))
}
