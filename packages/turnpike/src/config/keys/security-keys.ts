/** Switches that trade safety for the recorded behaviour. Source: docs/security.md#switches. */
import { boolean, field, integer, list, oneOf, text, withDefault } from '@turnpike/core'

export const securityKeys = {
  trustedProxies: field(list(text), {
    description: 'Addresses and networks of proxies; forwarding headers of other peers are ignored.',
  }),
  maxReadBodySize: field(withDefault(integer, 1_048_576), {
    description:
      'Bytes of a request body that a stage of the API reads whole; bodies that stream through have no limit.',
  }),
  maxReadResponseSize: field(withDefault(integer, 1_048_576), {
    description: 'Bytes of a response body that a stage of the API reads whole; other bodies stream through.',
  }),
  detailedCredentials: field(oneOf(['mask', 'recorded'], 'mask'), {
    description: '"recorded" leaves keys, passwords and cookies in detailed analytics records and events.',
  }),
  mcpOtherBodies: field(oneOf(['reject', 'pass'], 'reject'), {
    description: '"pass" sends bodies that are not JSON-RPC through MCP proxies, without any check.',
  }),
  oauthRedirectUriPrefix: field(boolean, {
    description: 'Redirect URIs of all OAuth clients are matched by prefix, not exactly.',
  }),
  privateUrls: field(oneOf(['allow', 'forbid'], 'allow'), {
    description: '"forbid": URLs of definitions other than targets must lead to public addresses.',
  }),
  sessionProof: field(oneOf(['strict', 'recorded'], 'strict'), {
    description:
      '"recorded" accepts a session with every authentication mode, not only the one that it was created for.',
  }),
}
