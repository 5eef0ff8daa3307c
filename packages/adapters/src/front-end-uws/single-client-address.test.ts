import { describe, expect, it } from 'vitest'
import { SingleClientAddress } from './single-client-address.ts'

describe('the single client address', () => {
  it('is set while all connections have the same address', () => {
    const client = new SingleClientAddress()
    expect(client.current).toBeUndefined()
    client.connected('10.0.0.1')
    client.connected('10.0.0.1')
    expect(client.current).toBe('10.0.0.1')
  })

  it('is undefined after a second address connects, until all connections have closed', () => {
    const client = new SingleClientAddress()
    client.connected('10.0.0.1')
    client.connected('10.0.0.2')
    expect(client.current).toBeUndefined()
    client.disconnected()
    expect(client.current).toBeUndefined()
    client.connected('10.0.0.2')
    expect(client.current).toBeUndefined()
    client.disconnected()
    client.disconnected()
    client.connected('10.0.0.3')
    expect(client.current).toBe('10.0.0.3')
  })
})
