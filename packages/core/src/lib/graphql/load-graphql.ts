/**
 * Loads the `graphql` package only when a definition needs it: most gateways have no GraphQL API, and its modules take
 * 17 MiB of memory.
 */
type GraphqlTools = typeof import('./graphql-tools.ts')

let tools: GraphqlTools | undefined

/** Loads the package. Called before GraphQL definitions are compiled or checked; later calls return at once. */
export async function loadGraphql(): Promise<void> {
  tools ??= await import('./graphql-tools.ts')
}

/** Throws if `loadGraphql` has not finished. */
export function graphqlTools(): GraphqlTools {
  if (tools === undefined) throw new Error('loadGraphql must finish before a GraphQL definition is used')
  return tools
}
