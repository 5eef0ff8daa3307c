/** The Redis of a Compose file has a name that only its containers can resolve. */
import { isJson, textOf } from '@turnpike/core/lib'
import type { GatewayService } from '../formats/compose-file.ts'

const defaultPort = 6379

/** Uses the TCP port that the service publishes; without one, the embedded store. `set` reports the change. */
export function useReachableStorage(
  config: Readonly<Record<string, unknown>>,
  service: GatewayService | undefined,
  set: (path: string, value: unknown, reason: string) => void,
): void {
  const { storage } = config
  if (!isJson(storage) || storage['type'] !== 'redis') return
  const addresses = Array.isArray(storage['addrs']) ? storage['addrs'] : []
  const [named = '', ofAddress] = textOf(addresses[0]).split(':')
  const host = named || textOf(storage['host'])
  const ports = service?.others.get(host)
  if (ports === undefined) return
  const inContainer = Number(ofAddress ?? storage['port'] ?? defaultPort)
  const port = ports.get(inContainer)
  const { addrs: _, hosts: __, ...rest } = storage
  if (port !== undefined) {
    const reason = `is at 127.0.0.1:${port}, where the service ${host} of the Compose file publishes its port`
    set('storage', { ...rest, host: '127.0.0.1', port }, reason)
    return
  }
  const reason = `was the service ${host} of the Compose file, which publishes no port; to use its keys, publish its port and set storage to it`
  set('storage', { type: 'lmdb' }, reason)
}
