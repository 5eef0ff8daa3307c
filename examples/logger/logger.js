// A logger of your own: any object with debug, info, warn and error. `fromPino(logger)` adapts a pino logger.
import { createGateway, defineApi, fromPino } from 'turnpike'

const line = (level) => (message, fields) =>
  console.log(`${level}: ${message}${fields?.reason ? `, ${fields.reason}` : ''}`)
const log = { debug() {}, info: line('info'), warn: line('warn'), error: line('error') }

const good = defineApi({ id: 'orders', target: 'http://127.0.0.1:3000/' })
const broken = { ...good, api_id: 'broken', proxy: { listen_path: '/broken/', target_url: 'http://a b/' } }
// A function may return a broken definition: the others are served.
const gateway = await createGateway({ definitions: () => [good, broken], log })
await gateway.close()

const pinoLike = {
  debug() {},
  info: (fields, message) => console.log(message, JSON.stringify(fields.apis)),
  warn() {},
  error() {},
}
await (await createGateway({ definitions: [good], log: fromPino(pinoLike) })).close()
