// A GraphQL API: queries are checked against the schema, and a policy limits what its keys may select.
import http from 'node:http'
import { createGateway, defineApi } from 'turnpike'

const ships = http.createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: { ship: { name: 'Ada', crew: [{ name: 'Ole' }] }, tide: 'high' } }))
})
await new Promise((resolve) => ships.listen(0, '127.0.0.1', resolve))

const definition = {
  ...defineApi({ id: 'ships', target: `http://127.0.0.1:${ships.address().port}/graphql` }),
  graphql: {
    enabled: true,
    execution_mode: 'proxyOnly',
    version: '2',
    schema: `
      type Query { ship(id: ID!): Ship tide: String }
      type Ship { name: String crew: [Person!] secret: String }
      type Person { name: String }`,
  },
}
const gateway = await createGateway({ definitions: [definition] })
const { key } = await gateway.keys.create({
  max_query_depth: 2,
  access_rights: { ships: { versions: ['Default'], restricted_types: [{ name: 'Ship', fields: ['secret'] }] } },
})

for (const query of [
  '{ tide }',
  '{ ship(id: 1) { name } }',
  '{ ship(id: 1) { nam } }',
  '{ ship(id: 1) { secret } }',
  '{ ship(id: 1) { crew { name } } }',
  '{ __type(name: "Ship") { fields { name } } }',
]) {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const response = await gateway.inject({ method: 'POST', url: '/ships/', headers, body: JSON.stringify({ query }) })
  const { data, errors, error } = response.json()
  console.log(`${response.status} ${JSON.stringify(data) ?? errors?.[0].message ?? error}`)
}

await gateway.close()
ships.close()
