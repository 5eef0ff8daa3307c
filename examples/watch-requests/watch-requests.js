// Prints every request; for rejected requests, also the stage and the reason.
import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { createGateway, defineApi } from 'turnpike'

const clock = makeVirtualClock()
const gateway = await createGateway({
  clock,
  upstream: makeFakeUpstream(clock),
  definitions: [
    defineApi({ id: 'status', target: 'http://status.internal/', open: true }),
    defineApi({ id: 'orders', target: 'http://orders.internal/' }),
  ],
})
gateway.onRequest(({ status, apiId, path, rejection }) => {
  console.log(
    status,
    apiId,
    path,
    rejection === undefined ? '' : `rejected by ${rejection.stage}: ${rejection.message}`,
  )
})

await gateway.inject('/status/now')
await gateway.inject('/orders/1')
await gateway.inject({ url: '/orders/1', headers: { Authorization: 'not-a-key' } })
await gateway.close()
