/** A client that gets an access token every 30 s, uses it, and uses it again when it has expired. */
import { orgId, secret, tokenSeconds } from './soaked-node.ts'
import type { SoakClient, TrafficServices } from './traffic.ts'

const basic = `Basic ${Buffer.from('app:app-secret').toString('base64')}`

export function makeTokenClient({ clock, requests, conditions, problems }: TrafficServices): SoakClient {
  let isRegistered = false
  const register = async () => {
    const response = await requests.send({
      method: 'POST',
      url: '/svc/oauth/clients/create',
      headers: { 'x-svc-authorization': secret },
      body: JSON.stringify({
        ...{ api_id: 'oauth', policy_id: 'member', client_id: 'app', secret: 'app-secret' },
        redirect_uri: 'http://127.0.0.1/callback',
        org_id: orgId,
      }),
    })
    isRegistered = response?.status === 200
    if (!isRegistered && response !== undefined && !conditions.isDisturbed())
      problems.add('oauth', `registration: ${response.status} ${response.text}`)
  }
  const session = async () => {
    if (!isRegistered) return register()
    const issued = await requests.send({
      method: 'POST',
      url: '/oauth/oauth/token',
      headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    if (issued?.status !== 200) {
      if (issued !== undefined && !conditions.isDisturbed())
        problems.add('oauth', `token: ${issued.status} ${issued.text}`)
      return
    }
    const { access_token: token } = JSON.parse(issued.text) as { access_token: string }
    const use = async (expected: number) => {
      const response = await requests.send({ url: '/oauth/me', headers: { authorization: `Bearer ${token}` } })
      if (response === undefined || conditions.isDisturbed() || response.status === expected) return
      problems.add('oauth', `a token got ${response.status}, where ${expected} was expected`)
    }
    await use(200)
    clock.after((tokenSeconds - 5) * 1000, () => void use(200))
    clock.after((tokenSeconds + 5) * 1000, () => void use(401))
  }
  return {
    name: 'OAuth tokens',
    tick(second) {
      if (second % 30 === 17) void session()
    },
  }
}
