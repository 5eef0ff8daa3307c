/** Formats a plan for people: one line per instant; requests at one instant on one node are counted together. */
import type { Plan, Step } from './plan.ts'

export function showPlan({ nodes, seed, algorithm, network, keys, steps }: Plan): string {
  const [least, most] = network.delayMs
  const head = [
    `  ${nodes.length} nodes, seed ${seed}, ${algorithm} rates, network delay ${least} to ${most} ms`,
    network.loss > 0 ? `${network.loss * 100} % lost` : '',
    network.doubling > 0 ? `${network.doubling * 100} % doubled` : '',
    network.reordering ? 'reordered' : '',
  ].filter((part) => part !== '')
  const limits = keys.map(
    ({ name, allowance, policy }) =>
      `  key ${name}: ${policy === undefined ? JSON.stringify(allowance) : `policy ${policy}`}`,
  )
  return [head.join(', '), ...limits, ...showSteps(steps)].join('\n')
}

/** Steps in lines, each with its instant. */
export function showSteps(steps: readonly Step[]): string[] {
  const lines: { readonly at: number; readonly text: string; count: number }[] = []
  for (const step of steps) {
    const text = showStep(step)
    const same = lines.find((line) => line.at === step.at && line.text === text)
    if (same === undefined) lines.push({ at: step.at, text, count: 1 })
    else same.count += 1
  }
  return lines.map(({ at, text, count }) => `  ${at} ms  ${count > 1 ? `${count} × ` : ''}${text}`)
}

export function showStep(step: Step): string {
  switch (step.kind) {
    case 'request':
      return `request on ${step.node} with key ${step.key}${step.target === undefined ? '' : `, target ${step.target}`}`
    case 'cut':
      return `the network between ${step.a} and ${step.b} is cut`
    case 'heal':
      return `the network between ${step.a} and ${step.b} is restored`
    case 'crash':
      return `${step.node} crashes`
    case 'start':
      return `${step.node} starts`
    case 'store-down':
      return 'the store goes away'
    case 'store-up':
      return 'the store is back'
    case 'failover':
      return `the store fails; after ${step.forMs} ms its replica replaces it, without the last ${step.lagMs} ms`
    case 'restart':
      return `${step.node} restarts: without clients for ${step.drainMs} ms, then down for ${step.downMs} ms`
    case 'clock':
      return `the clock of ${step.node} is set ${step.byMs < 0 ? 'back' : 'forward'} by ${Math.abs(step.byMs) / 1000} s`
    case 'disk':
      return `the disk of ${step.node} takes ${step.readMs} ms`
    case 'files':
      return `version ${step.files.version} of the files is on all disks`
    case 'reload':
      return `${step.node} gets a request to reload`
    case 'reload-group':
      return `${step.node} gets a request to reload the group`
    case 'put-key':
      return `key ${step.key.name} is written on ${step.node}`
    case 'delete-key':
      return `key ${step.key} is deleted on ${step.node}`
  }
}
