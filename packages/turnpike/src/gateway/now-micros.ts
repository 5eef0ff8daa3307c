/** The clock that traces of requests use. It is real time, because traces measure how long stages take. */
export const nowMicros = (): number => performance.now() * 1000
