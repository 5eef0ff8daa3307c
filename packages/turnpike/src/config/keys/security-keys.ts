/** Switches that trade safety for the recorded behaviour. Source: docs/security.md#switches. */
import { field, list, oneOf, text } from '@turnpike/core'

export const securityKeys = {
  trustedProxies: field(list(text), {
    description: 'Addresses and networks of proxies; forwarding headers of other peers are ignored.',
  }),
  mcpOtherBodies: field(oneOf(['reject', 'pass'], 'reject'), {
    description: '"pass" sends bodies that are not JSON-RPC through MCP proxies, without any check.',
  }),
  sessionProof: field(oneOf(['strict', 'recorded'], 'strict'), {
    description:
      '"recorded" accepts a session with every authentication mode, not only the one that it was created for.',
  }),
}
