/** The batch endpoint and the OAuth server as the properties of `@turnpike/testkit` use them. Programs do not need it. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Engine } from '@turnpike/core/engine'
import { makeBatchEndpoint } from '../batch/batch-endpoint.ts'
import { makeForm } from '../oauth/form.ts'
import { type ApiOAuth, makeOAuth, type OAuthServices } from '../oauth/oauth.ts'
import { defaultOAuthSettings, type OAuthSettings } from '../oauth/oauth-settings.ts'

/** Pass it to `storeProperties` of the testkit, whose type `ManagementUnderTest` describes its members. */
export const managementUnderTest = {
  makeBatchEndpoint: () => makeBatchEndpoint(),
  makeOAuthServer(
    parts: Omit<OAuthServices, 'oauth' | 'engine'>,
    engine: () => Engine,
    settings: Pick<OAuthSettings, 'refreshSeconds'>,
  ) {
    const server = makeOAuth({ ...parts, oauth: { ...defaultOAuthSettings, ...settings }, engine })
    return { clientExists: server.clientExists, of: (api: ApiDefinition) => underTest(server.of(api)) }
  },
}

function underTest(oauth: ApiOAuth) {
  return {
    async addClient(client: { readonly id: string; readonly secret: string; readonly redirectUri: string }) {
      await oauth.clients.put({ ...client, metaData: null, policyId: '', description: '', exactRedirect: true })
    },
    async approve(fields: Readonly<Record<string, string>>) {
      const approval = await oauth.authorization.approve(makeForm(Object.entries(fields)))
      if (approval.kind !== 'code') throw new Error('the approval gave no code')
      return approval.code
    },
    async requestTokens(authorization: string, fields: Readonly<Record<string, string>>) {
      const outcome = await oauth.token({ method: 'POST', authorization, form: makeForm(Object.entries(fields)) })
      return outcome.kind === 'issued' ? outcome.refreshToken : undefined
    },
  }
}
