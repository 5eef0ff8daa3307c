/** Switches that trade safety for the recorded behaviour. Source: docs/security.md#switches. */
import { field, oneOf } from '@turnpike/core'

export const securityKeys = {
  sessionProof: field(oneOf(['strict', 'recorded'], 'strict'), {
    description:
      '"recorded" accepts a session with every authentication mode, not only the one that it was created for.',
  }),
}
