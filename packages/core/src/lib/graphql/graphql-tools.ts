/** What GraphQL APIs need of the `graphql` package. Only `load-graphql.ts` imports this file. */
export { buildSchemaFrom } from './build-schema.ts'
export { chooseOperation, QueryChecker } from './checked-query.ts'
export { introspect } from './introspect.ts'
export { errorsBody } from './query-error.ts'
export { shapeResult } from './shape-result.ts'
export { writeUpstreamBody } from './upstream-request.ts'
export { checkVariables } from './variables.ts'
