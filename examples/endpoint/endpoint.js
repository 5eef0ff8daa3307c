// An endpoint of your own below the listen paths of APIs: it sends requests through the API, and counts its own calls.

import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

let calls = 0

/** Responds to GET <listen path>warm-up of each API. */
const warmUp = {
  paths: () => ['/warm-up'],
  make: ({ api }, dispatch) => ({
    name: 'warm-up',
    phase: '5-respond',
    async run({ request }) {
      calls++
      const path = `${api.listenPath}first`
      const { status } = await dispatch({ ...request, path, onAbort() {} }, api.listenPath.length)
      return { status: 200, headers: [], body: `${path} ${status}, call ${calls}` }
    },
  }),
}

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  definitions: [defineApi({ id: 'orders', target: upstream.url, open: true })],
  endpoints: [warmUp],
})
for (let i = 0; i < 2; i++) console.log((await gateway.inject('/orders/warm-up')).text())
await gateway.close()
await upstream.close()
