/** Groups what was not judged: traces of one attack that differ only in their times are one line. */

export interface NotJudged {
  readonly what: string
  readonly why: string
  /** How long the trace takes, if that matters. */
  readonly seconds?: number
}

export function groupNotJudged(all: readonly NotJudged[]): readonly { readonly what: string; readonly why: string }[] {
  const groups = new Map<string, NotJudged[]>()
  for (const one of all) {
    const name = JSON.stringify([one.what, one.why.replace(/\d+(\.\d+)?/g, '')])
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups.values()].map((group) => {
    const longest = group.reduce((most, one) => ((one.seconds ?? 0) > (most.seconds ?? 0) ? one : most))
    const { what, why, seconds = 0 } = longest
    const over = seconds < 0.1 ? '' : ` over ${seconds.toFixed(1)} s`
    return {
      what: group.length === 1 ? `${what}${over}` : `${what} (${group.length} traces${over && `, the longest${over}`})`,
      why,
    }
  })
}
