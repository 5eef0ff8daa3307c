/**
 * Servers on 127.0.0.1 with a TCP proxy in front of each port, for machines where network namespaces are not permitted.
 *
 * Servers connect to each other from an address of their own in 127.0.0.0/8, so a proxy recognises the peer by its
 * address. Only Linux has all these addresses.
 */
import { freePorts } from '../conformance/free-ports.ts'
import type { Peers, TestNetwork } from './network.ts'
import { type NetworkLink, startNetworkLink } from './network-link.ts'

/** Clients connect from here. */
const clientAddress = '127.0.0.1'
const addressOf = (index: number) => `127.0.0.${index + 2}`

export function makeProxyNetwork(): TestNetwork {
  const proxies: { readonly owner: number; readonly proxy: NetworkLink }[] = []
  const partitioned = new Map<number, Peers>()
  const isCut = (owner: number, peer: string) => {
    const isClient = peer === clientAddress
    const own = partitioned.get(owner)
    if (own === 'all' || own === (isClient ? 'clients' : 'servers')) return true
    return [...partitioned].some(([index, from]) => from !== 'clients' && addressOf(index) === peer)
  }
  const refresh = () => {
    for (const { owner, proxy } of proxies) proxy.cut((peer) => isCut(owner, peer))
  }
  return {
    async place(index) {
      const [data, announcedData, bus, announcedBus] = (await freePorts(4)) as [number, number, number, number]
      proxies.push({ owner: index, proxy: await startNetworkLink(announcedData, data) })
      proxies.push({ owner: index, proxy: await startNetworkLink(announcedBus, bus) })
      return {
        host: '127.0.0.1',
        data: { own: data, announced: announcedData },
        bus: { own: bus, announced: announcedBus },
        args: ['--bind-source-addr', addressOf(index)],
        launcher: [],
      }
    },
    async partition(index, from) {
      partitioned.set(index, from)
      refresh()
    },
    async heal(index) {
      partitioned.delete(index)
      refresh()
    },
    close() {
      for (const { proxy } of proxies) proxy.close()
    },
  }
}
