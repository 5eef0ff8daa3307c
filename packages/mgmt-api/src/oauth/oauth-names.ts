/** Names of OAuth records in the store, the same on all nodes that share a Redis: docs/reference/redis-records.md#oauth-keys. */

/** Lock that one node holds while it purges expired tokens. */
export const purgeLock = 'oauth-purge-lock'

const clientPrefix = 'oauth-clientid.'

export function oauthNames(apiId: string) {
  const prefix = `oauth-data.${apiId}.`
  return {
    client: (clientId: string) => `${prefix}${clientPrefix}${clientId}`,
    /** List of an organisation's clients under this API; its members are the results of `clientMember`. */
    clientIndex: (orgId: string) => `${prefix}oauth-client-index.${orgId}`,
    code: (code: string) => `${prefix}oauth-authorize.${code}`,
    /** Record of an access token, by its stored name: the token or its hash. */
    access: (storedName: string) => `${prefix}oauth-access.${storedName}`,
    refresh: (token: string) => `${prefix}oauth-refresh.${token}`,
    /** A code or refresh token that was used, and one that was used again. */
    used: (grant: string) => `${prefix}oauth-used.${grant}`,
    repeated: (grant: string) => `${prefix}oauth-repeated.${grant}`,
    /** List of a client's access tokens by their end in Unix seconds. */
    clientTokens: (clientId: string) => `${prefix}oauth-client-tokens.${clientId}`,
  }
}

/** The client as a member of its organisation's list. */
export const clientMember = (clientId: string): string => `${clientPrefix}${clientId}`

/** The client id in a member of the list. */
export const clientOfMember = (member: string): string =>
  member.startsWith(clientPrefix) ? member.slice(clientPrefix.length) : member
