// An upstream client of your own: targets with the host `functions` are functions of this program.
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeAnyUpstream } from '@turnpike/upstream/any'
import { createGateway, defineApi } from 'turnpike'
import { withFunctions } from './with-functions.js'

const functions = {
  '/double': (body) => String(2 * Number(body)),
  '/shout': (body) => body.toUpperCase(),
}
const gateway = await createGateway({
  upstream: withFunctions(functions, makeAnyUpstream({ clock: systemClock })),
  definitions: [defineApi({ id: 'functions', target: 'http://functions/', open: true })],
  log: 'silent',
})
const call = async (name, body) => {
  const response = await gateway.inject({ method: 'POST', url: `/functions/${name}`, body })
  console.log(`${name}(${body}): ${response.status} ${response.text().split('\n')[0]}`)
}
await call('double', '21')
await call('shout', 'hello')
await call('none', 'x')
await gateway.close()
