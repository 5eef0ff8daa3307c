/** Gives the query of a traced request to its span, without credentials. */
import type { MakeRecordStage } from '../contract/stage.ts'
import { type CredentialMask, makeMask } from '../shared/mask-credentials.ts'

export const makeDescribeSpan: MakeRecordStage = (compileContext) => {
  if (compileContext.services.tracing === undefined) return null
  // Made at the first recorded request, because most chains never have one.
  let mask: CredentialMask | undefined
  return {
    run({ span, request }) {
      if (span === undefined || !span.isRecorded || request.query === '') return
      mask ??= makeMask(compileContext)
      span.describe(mask.request(request, undefined).message.query)
    },
  }
}
