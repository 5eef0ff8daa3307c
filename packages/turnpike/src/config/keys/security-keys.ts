/** Switches that trade safety for the recorded behaviour. Source: docs/security.md#switches. */
import { boolean, described, integer, list, oneOf, text, withDefault } from '@turnpike/core/lib'

export const securityKeys = {
  trustedProxies: described(
    'Addresses and networks of proxies; forwarding headers of other peers are ignored.',
    list(text),
  ),
  maxReadBodySize: described(
    'Bytes of a request body that a stage of the API reads whole; bodies that stream through have no limit.',
    withDefault(integer, 1_048_576),
  ),
  maxReadResponseSize: described(
    'Bytes of a response body that a stage of the API reads whole; other bodies stream through.',
    withDefault(integer, 1_048_576),
  ),
  detailedCredentials: described(
    '"recorded" leaves keys, passwords and cookies in detailed analytics records and events.',
    oneOf(['mask', 'recorded'], 'mask'),
  ),
  headRules: described(
    'Whether block lists, rate limits, validation and mocks for GET apply to HEAD: "recorded" lets HEAD pass them.',
    oneOf(['compatible', 'rfc9110', 'recorded'], 'compatible'),
  ),
  mcpOtherBodies: described(
    '"pass" sends bodies that are not JSON-RPC through MCP proxies, without any check.',
    oneOf(['reject', 'pass'], 'reject'),
  ),
  oauthRedirectUriPrefix: described('Redirect URIs of all OAuth clients are matched by prefix, not exactly.', boolean),
  privateUrls: described(
    '"forbid": URLs of definitions other than targets must lead to public addresses.',
    oneOf(['allow', 'forbid'], 'allow'),
  ),
  sessionProof: described(
    '"recorded" accepts a session with every authentication mode, not only the one that it was created for.',
    oneOf(['strict', 'recorded'], 'strict'),
  ),
}
