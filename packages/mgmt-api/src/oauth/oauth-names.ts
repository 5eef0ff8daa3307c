/** Names of OAuth records in the store, the same on all nodes that share a Redis: docs/reference/redis-records.md#oauth-keys. */
export interface OAuthNames {
  readonly client: (clientId: string) => string
  /** List of an organisation's clients under this API; its members are the results of `clientMember`. */
  readonly clientIndex: (orgId: string) => string
  readonly code: (code: string) => string
  /** Record of an access token, by its stored name: the token or its hash. */
  readonly access: (storedName: string) => string
  readonly refresh: (token: string) => string
  /** List of a client's access tokens by their end in Unix seconds. */
  readonly clientTokens: (clientId: string) => string
}

/** Lock that one node holds while it purges expired tokens. */
export const purgeLock = 'oauth-purge-lock'

const clientPrefix = 'oauth-clientid.'

export function oauthNames(apiId: string): OAuthNames {
  const prefix = `oauth-data.${apiId}.`
  return {
    client: (clientId) => `${prefix}${clientPrefix}${clientId}`,
    clientIndex: (orgId) => `${prefix}oauth-client-index.${orgId}`,
    code: (code) => `${prefix}oauth-authorize.${code}`,
    access: (storedName) => `${prefix}oauth-access.${storedName}`,
    refresh: (token) => `${prefix}oauth-refresh.${token}`,
    clientTokens: (clientId) => `${prefix}oauth-client-tokens.${clientId}`,
  }
}

/** The client as a member of its organisation's list. */
export const clientMember = (clientId: string): string => `${clientPrefix}${clientId}`

/** The client id in a member of the list. */
export const clientOfMember = (member: string): string =>
  member.startsWith(clientPrefix) ? member.slice(clientPrefix.length) : member
