import type { ApiPort } from '@turnpike/core/ports'
import { silentLog } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { makeApiPorts } from './open-api-ports.ts'

const http = (port: number): ApiPort => ({ port, protocol: 'http' })
const tcp = (port: number): ApiPort => ({ port, protocol: 'tcp' })

/** A machine on which some TCP ports cannot be opened; records its actions in order. */
function makeMachine() {
  const did: string[] = []
  const broken = new Set<string>()
  const letIn: number[] = []
  const ports = makeApiPorts({ log: silentLog, graceMs: 1000, shared: [9090] })
  ports.start(async ({ port, protocol }, served) => {
    if (broken.has(`${protocol} ${port}`))
      throw new Error(`port ${port} is in use; choose another with listen_port or --port`)
    did.push(`open ${protocol} ${port}`)
    void served.then(() => letIn.push(port))
    return { port, close: async (graceMs) => void did.push(`close ${protocol} ${port} ${graceMs}`) }
  })
  return { did, broken, letIn, ports }
}

describe('ports of APIs', () => {
  it('are opened once, and let nobody in until their table is served', async () => {
    const { did, letIn, ports } = makeMachine()
    expect(await ports.open([http(9001), tcp(5001)])).toEqual(new Map())
    await ports.open([http(9001), tcp(5001)])
    expect([did, letIn]).toEqual([['open http 9001', 'open tcp 5001'], []])
    ports.serve([http(9001), tcp(5001)])
    await Promise.resolve()
    expect(letIn).toEqual([9001, 5001])
  })

  it('close when a table is served that does not name them, also those that were opened in vain', async () => {
    const { did, ports } = makeMachine()
    await ports.open([http(9001), http(9002)])
    ports.serve([http(9002)])
    expect(did.slice(2)).toEqual(['close http 9001 1000'])
    await ports.close(5)
    expect(did.slice(3)).toEqual(['close http 9002 5'])
  })

  it('are reported by number with a fix if they cannot be opened', async () => {
    const { broken, ports } = makeMachine()
    broken.add('http 9001')
    expect(await ports.open([http(9001), http(9002)])).toEqual(
      new Map([[9001, 'port 9001 is in use; choose another, or stop the process that uses it']]),
    )
  })

  it('change what they speak only when every new port was opened', async () => {
    const { did, broken, ports } = makeMachine()
    await ports.open([http(9001)])
    ports.serve([http(9001)])
    broken.add('http 9002')
    expect([...(await ports.open([tcp(9001), http(9002)])).keys()]).toEqual([9002])
    expect(did).toEqual(['open http 9001'])
    expect(await ports.open([tcp(9001)])).toEqual(new Map())
    expect(did.slice(1)).toEqual(['close http 9001 1000', 'open tcp 9001'])
  })

  it('go back to what they spoke where they cannot speak the other', async () => {
    const { did, broken, ports } = makeMachine()
    await ports.open([http(9001)])
    broken.add('tcp 9001')
    expect((await ports.open([tcp(9001)])).size).toBe(1)
    expect(did.at(-1)).toBe('open http 9001')
  })

  it('that somebody else has opened for the gateway are left alone', async () => {
    const { did, ports } = makeMachine()
    await ports.open([http(9090)])
    ports.serve([http(9090)])
    await ports.close(0)
    expect(did).toEqual([])
  })

  it('are not opened any more once the gateway ends', async () => {
    const { did, ports } = makeMachine()
    await ports.close(0)
    expect(await ports.open([http(9001)])).toEqual(new Map())
    expect(did).toEqual([])
  })
})
