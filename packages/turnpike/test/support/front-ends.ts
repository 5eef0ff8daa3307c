/** The front ends that tests use. uWebSockets.js, an option with limits, has the suite of front ends and the nightly run. */
export const frontEnds = ['http1', 'node'] as const

export type TestedFrontEnd = (typeof frontEnds)[number]
