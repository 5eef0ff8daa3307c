/** The ports that need no choice: given by the caller, or those of the machine. */
import type { Clock, HashFunction, Ids, Passwords, Upstream } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { GatewayOptions } from './gateway-options.ts'

export interface Basics {
  readonly clock: Clock
  readonly ids: Ids
  readonly passwords: Passwords
  readonly upstream: Upstream
}

export async function wireBasics(options: GatewayOptions): Promise<Basics> {
  const [{ systemClock }, { randomIds }, { bcryptPasswords }] = await Promise.all([
    import('@turnpike/adapters/clock-system'),
    import('@turnpike/adapters/ids-random'),
    import('@turnpike/adapters/passwords-bcrypt'),
  ])
  return {
    clock: options.clock ?? systemClock,
    ids: options.ids ?? randomIds,
    passwords: options.passwords ?? bcryptPasswords,
    upstream: options.upstream ?? (await machineUpstream()),
  }
}

async function machineUpstream(): Promise<Upstream> {
  const { makeUndiciUpstream } = await import('@turnpike/adapters/upstream-undici')
  return makeUndiciUpstream()
}

const plainHashes: readonly string[] = ['murmur32', 'murmur64', 'murmur128', 'sha256']

/** How passwords of basic users are kept; anything unknown is bcrypt (spec/sessions-and-limits.md 2.9). */
export function basicAuthHashOf(config: GatewayConfig): 'bcrypt' | HashFunction {
  const word = config.basicAuthHashKeyFunction
  return plainHashes.includes(word) ? (word as HashFunction) : 'bcrypt'
}
