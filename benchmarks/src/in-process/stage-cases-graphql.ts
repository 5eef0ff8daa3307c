/** Cases of stages of GraphQL APIs, and of stored GraphQL operations. */
import { paths } from '../subjects/definition.ts'
import { json, rule, type StageCase } from './stage-case.ts'

const schema = 'type Query { port: Port } type Port { name: String }'
const graphql = { enabled: true, version: '2', execution_mode: 'proxyOnly', schema }
const query = (text: string) => ({ method: 'POST', path: '/', headers: json, body: JSON.stringify({ query: text }) })

export const graphqlCases: readonly StageCase[] = [
  {
    name: 'GraphQL query, checked and rewritten',
    fields: { graphql },
    engine: { answer: { type: 'application/json', body: '{"data":{"port":{"name":"harbour"}}}' } },
    request: query('{ port { name } }'),
  },
  { name: 'GraphQL introspection', fields: { graphql }, request: query('{ __schema { queryType { name } } }') },
  {
    name: 'GraphQL playground',
    fields: { graphql: { ...graphql, playground: { enabled: true, path: '/playground' } } },
    request: { path: '/playground' },
  },
  {
    name: 'stored GraphQL operation',
    fields: paths({ persist_graphql: [{ ...rule, operation: '{ port { name } }', variables: {} }] }),
  },
]
