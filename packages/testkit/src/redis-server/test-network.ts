/** Selects how the network of a group of servers can be partitioned. */
import { freePorts } from '../conformance/free-ports.ts'
import { makeNamespaceNetwork, withoutNamespaces } from './namespace-network.ts'
import type { TestNetwork } from './network.ts'
import { makeProxyNetwork } from './proxy-network.ts'

/** `TURNPIKE_TEST_NETWORK=proxy` uses the proxies where namespaces are permitted. */
const withoutNamespacesBecause =
  process.env['TURNPIKE_TEST_NETWORK'] === 'proxy' ? 'TURNPIKE_TEST_NETWORK is set' : withoutNamespaces()

/** How tests partition a network, for their titles. */
export const partitionMethod: string =
  withoutNamespacesBecause === undefined
    ? 'in a network namespace'
    : `with proxies, because ${withoutNamespacesBecause}`

/** Makes the network of a group. Default of `canPartition`: false, and all servers listen on 127.0.0.1. */
export async function makeTestNetwork(canPartition = false): Promise<TestNetwork> {
  if (!canPartition) return plainNetwork
  return withoutNamespacesBecause === undefined ? await makeNamespaceNetwork() : makeProxyNetwork()
}

const plainNetwork: TestNetwork = {
  async place() {
    const [data, bus] = (await freePorts(2)) as [number, number]
    return {
      host: '127.0.0.1',
      data: { own: data, announced: data },
      bus: { own: bus, announced: bus },
      args: [],
      launcher: [],
    }
  },
  async partition() {
    throw new Error('the servers were started without canPartition')
  },
  async heal() {},
  close() {},
}
