// Scripts in definitions: an endpoint that a script serves, and a script that guards an API.

import { join } from 'node:path'
import { createGateway } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const shop = {
  api_id: 'shop',
  name: 'shop',
  org_id: 'acme',
  active: true,
  use_keyless: true,
  proxy: { listen_path: '/shop/', target_url: upstream.url, strip_listen_path: true },
  custom_middleware: {
    driver: 'otto',
    pre: [{ name: 'gate', path: join(import.meta.dirname, 'gate.js') }],
  },
  version_data: {
    not_versioned: true,
    versions: {
      Default: {
        name: 'Default',
        use_extended_paths: true,
        extended_paths: {
          virtual: [
            {
              path: '/price',
              method: 'GET',
              response_function_name: 'price',
              function_source_type: 'file',
              function_source_uri: join(import.meta.dirname, 'price.ts'),
            },
          ],
        },
      },
    },
  },
}
const gateway = await createGateway({ config: { enable_jsvm: true }, definitions: [shop] })

const named = { headers: { 'x-name': 'Ada' } }
const rejected = await gateway.inject('/shop/price')
console.log(rejected.status, rejected.json().error)
const answered = await gateway.inject({ url: '/shop/price?amount=4', ...named })
console.log(answered.status, answered.text())
const proxied = await gateway.inject({ url: '/shop/list', ...named })
console.log(proxied.status, proxied.json().headers['x-greeting'])

await gateway.close()
await upstream.close()
