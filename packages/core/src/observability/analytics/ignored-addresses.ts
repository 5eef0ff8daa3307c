/** `analytics_config.ignored_ips`: single addresses, compared in one notation. Source: docs/reference/analytics.md#analytics. */
import { formatIpAddress, parseIpAddress } from '../../lib/ip-address.ts'

/** Calls `onProblem` for each text that is not a single address, such as a range. */
export function readIgnoredAddresses(texts: readonly string[], onProblem: (text: string) => void): ReadonlySet<string> {
  const addresses = new Set<string>()
  for (const text of texts) {
    const address = parseIpAddress(text.trim())
    if (address === undefined) onProblem(text)
    else addresses.add(formatIpAddress(address))
  }
  return addresses
}
