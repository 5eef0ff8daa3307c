/**
 * The test suite for implementations of the port `FrontEnd`. It sends bytes over a socket and checks what the engine
 * relies on: malformed messages are rejected, requests cannot be smuggled, bodies flow with backpressure in both
 * directions, and disconnects do no harm. The parts are in http-wire/.
 */
import { describe } from 'vitest'
import { closingPart } from './http-wire/closing-part.ts'
import { connectionsPart } from './http-wire/connections-part.ts'
import { disconnectsPart } from './http-wire/disconnects-part.ts'
import { downloadsPart } from './http-wire/downloads-part.ts'
import type { FrontEndUnderTest } from './http-wire/front-end-under-test.ts'
import { malformedPart } from './http-wire/malformed-part.ts'
import { messagesPart } from './http-wire/messages-part.ts'
import { trailersPart } from './http-wire/trailers-part.ts'
import { uploadsPart } from './http-wire/uploads-part.ts'

export type { FrontEndTestOptions, FrontEndTraits, FrontEndUnderTest } from './http-wire/front-end-under-test.ts'

/** Declares the tests of a front end. */
export function frontEndSuite(name: string, under: FrontEndUnderTest): void {
  describe(`front end ${name}`, () => {
    malformedPart(under)
    messagesPart(under)
    uploadsPart(under)
    downloadsPart(under)
    trailersPart(under)
    disconnectsPart(under)
    connectionsPart(under)
    closingPart(under)
  })
}
