/** Whether a host is this machine. Only loopback is probed, unless the user states that the host is theirs. */
import { lookup } from 'node:dns/promises'
import { isIPv4 } from 'node:net'

/**
 * Returns the addresses of the host that are not loopback; a name counts as loopback only if all its addresses are.
 * Rejects if the name does not resolve.
 */
export async function foreignAddresses(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address).filter((address) => !isLoopback(address))
}

export function isLoopback(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  return isIPv4(plain) ? plain.startsWith('127.') : plain === '::1'
}
