/**
 * The suite of the port `FrontEnd`. It speaks to the front end in bytes over a socket, and holds it to what the engine
 * relies on: which messages are refused, that nothing can be smuggled, that bodies flow with backpressure in both
 * directions, and that broken connections harm nobody. The parts are in http-wire/.
 */
import { describe } from 'vitest'
import { closingPart } from './http-wire/closing-part.ts'
import { connectionsPart } from './http-wire/connections-part.ts'
import { departuresPart } from './http-wire/departures-part.ts'
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
    departuresPart(under)
    connectionsPart(under)
    closingPart(under)
  })
}
