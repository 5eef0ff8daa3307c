/** The numbered folders, in the order in which a request passes them. */
export const phases = [
  '1-accept',
  '2-identify',
  '3-admit',
  '4-shape-request',
  '5-respond',
  '6-shape-response',
  '7-record',
] as const
export type Phase = (typeof phases)[number]
