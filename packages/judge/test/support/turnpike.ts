/** The built gateway with one of its limiters. */
import { keyedApi, makeFolder, sessionFor } from '../../../turnpike/test/support/folder.ts'
import { startGateway } from '../../../turnpike/test/support/process.ts'
import { startUpstream } from './programs.ts'

const settings = {
  'in-memory limiter': {},
  'rolling window limiter': { enable_redis_rolling_limiter: true },
  'fixed window limiter': { enable_fixed_window_rate_limiter: true },
  'sentinel limiter': { enable_sentinel_rate_limiter: true },
} as const
export type Limiter = keyof typeof settings
export const limiters = Object.keys(settings) as readonly Limiter[]

/** Starts the gateway. Returns the URL of an API, and the file with keys that have the rate. */
export async function startTurnpike(
  limiter: Limiter,
  rate: { readonly rate: number; readonly per: number },
  closing: (() => Promise<unknown>)[],
): Promise<{ readonly url: string; readonly keys: string }> {
  const folder = makeFolder(settings[limiter])
  folder.write('apps/orders.json', keyedApi('orders', await startUpstream()))
  const gateway = await startGateway(folder)
  closing.push(async () => {
    gateway.child.kill('SIGKILL')
    await gateway.ended
    folder.remove()
  })
  const keys = Array.from({ length: 80 }, (_, i) => `judge-${i}`)
  for (const name of keys) {
    const session = { ...sessionFor('orders'), ...rate }
    const { status, body } = await gateway.manage('POST', `/svc/keys/acme${name}`, session)
    if (status !== 200) throw new Error(`the key was not created: ${JSON.stringify(body)}`)
  }
  folder.write('keys.txt', keys.map((name) => `acme${name}`).join('\n'))
  return { url: `${gateway.url}/orders/x`, keys: folder.file('keys.txt') }
}
