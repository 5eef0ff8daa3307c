/** Ports that the configuration does not select: the caller's, or the system adapters. */
import { systemClock } from '@turnpike/adapters/clock-system'
import { randomIds } from '@turnpike/adapters/ids-random'
import { bcryptPasswords } from '@turnpike/adapters/passwords-bcrypt'
import type { Clock, HashFunction, Ids, Passwords, Upstream } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { makeLazyUpstream } from './lazy-upstream.ts'

export interface Basics {
  readonly clock: Clock
  readonly ids: Ids
  readonly passwords: Passwords
  readonly upstream: Upstream
  /** Must resolve before definitions are compiled. */
  readonly upstreamReady: () => Promise<void>
}

/** Returns the PEM text of a certificate or key, by id or file path. */
export type FindPem = (name: string) => Promise<string | undefined>

export function wireBasics(options: GatewayOptions, findPem: FindPem, client: GatewayConfig['upstreamClient']): Basics {
  return {
    clock: options.clock ?? systemClock,
    ids: options.ids ?? randomIds,
    passwords: options.passwords ?? bcryptPasswords,
    ...upstreamOf(options.upstream, findPem, client),
  }
}

function upstreamOf(
  given: Upstream | undefined,
  findPem: FindPem,
  client: GatewayConfig['upstreamClient'],
): Pick<Basics, 'upstream' | 'upstreamReady'> {
  if (given !== undefined) return { upstream: given, upstreamReady: async () => undefined }
  const lazy = makeLazyUpstream({ findPem, client })
  return { upstream: lazy, upstreamReady: lazy.ready }
}

const plainHashes: readonly string[] = ['murmur32', 'murmur64', 'murmur128', 'sha256']

/** Hash of basic users' passwords; unknown names mean bcrypt. Source: docs/reference/key-management.md#basic-users. */
export function basicAuthHashOf(config: GatewayConfig): 'bcrypt' | HashFunction {
  const word = config.basicAuthHashKeyFunction
  return plainHashes.includes(word) ? (word as HashFunction) : 'bcrypt'
}
